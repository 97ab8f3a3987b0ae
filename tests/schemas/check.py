"""Holds every form of the tool definitions against the types of the provider's own SDK. Called with the program.

The types of requests are dictionaries that allow other keys, so keys are compared too. Where a form is strict, the rules
that the provider has published for strict schemas are checked: no type says them.
"""

import itertools
import json
import subprocess
import sys

import mcp.types
from anthropic.types import ToolParam
from google.genai import types as gemini
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter, ValidationError

NOT_STRICT = {
    "allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "patternProperties", "default",
    "minimum", "maximum", "minLength", "maxLength",
}


def typed(kind, value: dict) -> None:
    """Fits a dictionary to a type, and allows no key that the type doesn't have."""
    TypeAdapter(kind).validate_python(value)
    unknown = set(value) - set(kind.__annotations__)
    assert not unknown, f"{kind.__name__} has no {unknown}"


def strict(schema: dict, all_required: bool) -> None:
    """The rules for a schema that a provider enforces."""
    assert not set(schema) & NOT_STRICT, schema
    if "properties" in schema:
        assert schema["additionalProperties"] is False, schema
        if all_required:
            assert set(schema["required"]) == set(schema["properties"]), schema
        for inner in schema["properties"].values():
            strict(inner, all_required)
    if None in schema.get("enum", []):
        assert "null" in schema["type"], schema


def openai(tool: dict, is_strict: bool) -> None:
    typed(ChatCompletionFunctionToolParam, tool)
    assert set(tool["function"]) <= {"name", "description", "parameters", "strict"}, tool
    assert tool["function"].get("strict", False) is is_strict
    if is_strict:
        strict(tool["function"]["parameters"], all_required=True)


def openai_responses(tool: dict, is_strict: bool) -> None:
    typed(FunctionToolParam, tool)
    assert tool["strict"] is is_strict
    if is_strict:
        strict(tool["parameters"], all_required=True)


def anthropic(tool: dict, is_strict: bool) -> None:
    typed(ToolParam, tool)
    assert tool.get("strict", False) is is_strict
    if is_strict:
        strict(tool["input_schema"], all_required=False)


def of_gemini(tool: dict, _: bool) -> None:
    # The models of this SDK refuse keys that they don't know.
    for function in gemini.Tool.model_validate(tool).function_declarations:
        assert function.name and function.description


def of_mcp(tool: dict, _: bool) -> None:
    mcp.types.Tool.model_validate(tool, by_name=False)


FORMS = {
    "openai": openai,
    "openai-responses": openai_responses,
    "anthropic": anthropic,
    "gemini": of_gemini,
    "mcp": of_mcp,
}


def schema(program: str, *args: str) -> list[dict]:
    ran = subprocess.run([program, "schema", *args], capture_output=True, text=True, check=True)
    tools = json.loads(ran.stdout)
    return tools if isinstance(tools, list) else [tools]


def main(program: str) -> None:
    tools = 0
    for (form, check), number, is_strict in itertools.product(FORMS.items(), ("one", "four"), (False, True)):
        args = ["--for", form, "--tools", number, *["--strict"] * is_strict]
        for tool in schema(program, *args):
            try:
                check(tool, is_strict)
            except (AssertionError, ValidationError) as error:
                sys.exit(f"skills schema {' '.join(args)}: {error}\n{json.dumps(tool, indent=2)}")
            tools += 1
    # A form must not fit another type, or the types would judge nothing.
    try:
        openai_responses(schema(program, "--for", "openai")[0], False)
    except (AssertionError, ValidationError, KeyError):
        print(f"the types of the SDKs: {tools} definitions in {len(FORMS)} forms fit")
        return
    sys.exit("the type of the responses takes the form of chat completions")


main(sys.argv[1])
