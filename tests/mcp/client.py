"""What an independent client sees of `skills mcp`: lists, searches, loads, reads, and checks every digest.

Called with the path of the program. Everything is asked twice, by the revision of the protocol that begins
with `initialize` and by the one that does not.
"""

import asyncio
import base64
import hashlib
import sys
import tempfile
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters
from pydantic import BaseModel, ConfigDict

INVALID_PARAMS = -32602
RESOURCE_NOT_FOUND = -32002  # what it was called before 2026-07-28

SKILL = """---
name: {name}
description: {description}
version: 1.10
metadata:
  since: 2026
  rating: 4.50
arguments: [first, second]
---
First $first, then $second.
"""


class Params(BaseModel):
    model_config = ConfigDict(extra="allow")


class Answer(BaseModel):
    model_config = ConfigDict(extra="allow")


class Ask(types.Request[Params, str]):
    """A request that this client has no method for."""


async def ask(client: Client, method: str, **params: Any) -> dict[str, Any]:
    request = Ask(method=method, params=Params(**params))
    return (await client.session.send_request(request, Answer)).model_dump()


async def every(client: Client, method: str, key: str, **params: Any) -> list[dict[str, Any]]:
    """All pages of a list."""
    items, cursor = [], {}
    while True:
        page = await ask(client, method, **params, **cursor)
        items += page[key]
        if not page.get("nextCursor"):
            return items
        cursor = {"cursor": page["nextCursor"]}


async def refused(code: set[int], asking: Any) -> str:
    try:
        answer = await asking
    except MCPError as error:
        assert error.error.code in code, error.error
        return error.error.message
    raise AssertionError(f"this was answered: {answer}")


async def text(client: Client, tool: str, **arguments: Any) -> str:
    """The text of an answer, which is all that a model sees of it."""
    result = await client.call_tool(tool, arguments)
    assert len(result.content) == 1 and result.structured_content is None, result
    return result.content[0].text


async def tools(client: Client) -> None:
    found = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(found) == {"list_skills", "search_skills", "load_skill", "read_skill_resource"}, found
    for tool in found.values():
        assert tool.annotations and tool.annotations.read_only_hint and not tool.output_schema, tool
    assert "enum" not in found["load_skill"].input_schema["properties"]["skill_name"]

    listed = await text(client, "list_skills")
    assert "\n- write-skill " in listed and "\n- made-here v1.10: " in listed, listed
    assert listed.endswith("\nTip: use search_skills or load_skill for details."), listed

    hits = await text(client, "search_skills", query="commit message")
    assert hits.startswith("Skills matching 'commit message'") and "\n- commit-message: " in hits, hits

    loaded = await text(client, "load_skill", skill_name="made-here", arguments="'one thing' another")
    assert "First one thing, then another." in loaded and "\nVersion: 1.10\n" in loaded, loaded
    assert "\nFiles (use read_skill_resource to open):\n" in loaded, loaded

    again = await text(client, "load_skill", skill_name="made-here")
    assert "Content (SKILL.md body):" in again, "no session: it is sent each time"

    read = await text(client, "read_skill_resource", skill_name="made-here", file_path="references/a b%.md", offset=2)
    assert read == "Skill file: made-here/references/a b%.md\n\ncond\n", read

    wrong = await client.call_tool("load_skill", {"skill_name": "made-her"})
    assert wrong.is_error and wrong.structured_content is None, wrong
    assert wrong.content[0].text.endswith(" Did you mean 'made-here'?"), wrong
    for name in ["rm", "skills_tool"]:
        await refused({INVALID_PARAMS}, client.call_tool(name, {}))


async def structured(server: StdioServerParameters) -> None:
    """Data on request, which the client holds against the schema of the tool."""
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["skills_tool"] and tools[0].output_schema, tools
        loaded = await client.call_tool("skills_tool", {"action": "load", "skill_name": "made-here"})
        assert loaded.structured_content["frontmatter"]["version"] == "1.10", loaded
        assert loaded.structured_content["path"].endswith("made-here"), loaded
        for arguments in [{"action": "list"}, {"action": "search", "query": "skill"}]:
            assert (await client.call_tool("skills_tool", arguments)).structured_content, arguments
        wrong = await client.call_tool("skills_tool", {"action": "load", "skill_name": "made-her"})
        assert wrong.is_error and wrong.structured_content is None, wrong


async def completions(client: Client) -> None:
    template = (await client.list_resource_templates()).resource_templates[0].uri_template
    reference = types.ResourceTemplateReference(type="ref/resource", uri=template)
    names = await client.complete(reference, {"name": "skill_name", "value": "made"})
    assert names.completion.values == ["made-here"], names
    files = await client.complete(
        reference, {"name": "file_path", "value": "a b"}, context_arguments={"skill_name": "made-here"}
    )
    assert files.completion.values == ["references/a b%.md"], files


async def prompts(client: Client) -> None:
    found = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
    assert [argument.name for argument in found["made-here"].arguments] == ["first", "second"]
    prompt = await client.get_prompt("made-here", {"first": "it's \"this\"", "second": "that one"})
    assert "First it's \"this\", then that one." in prompt.messages[0].content.text, prompt
    await refused({INVALID_PARAMS}, client.get_prompt("no-such"))


async def read_bytes(client: Client, uri: str) -> bytes:
    content = (await client.read_resource(uri)).contents[0]
    assert content.uri == uri and content.mime_type, content
    return content.text.encode() if hasattr(content, "text") else base64.b64decode(content.blob)


async def extension(client: Client) -> int:
    declared = client.server_capabilities.extensions["io.modelcontextprotocol/skills"]
    assert declared == {"directoryRead": True}, declared
    files = 0
    skills = await every(client, "skills/list", "skills")
    for skill in skills:
        got = (await ask(client, "skills/get", uri=skill["uri"]))["skill"]
        assert got == skill, (got, skill)
        name = skill["frontmatter"]["name"]
        assert skill["uri"] == f"skill://{name}/SKILL.md" and skill["frontmatter"]["description"]
        assert skill["uri"] in [file["uri"] for file in skill["resources"]]
        for file in skill["resources"]:
            content = await read_bytes(client, file["uri"])
            assert len(content) == file["size"], file
            assert "sha256:" + hashlib.sha256(content).hexdigest() == file["digest"], file
            files += 1
        assert {uri async for uri in walk(client, f"skill://{name}")} == {file["uri"] for file in skill["resources"]}

    made = next(skill for skill in skills if skill["frontmatter"]["name"] == "made-here")
    # As any reader of YAML has it, since a host compares it with what it reads.
    assert made["frontmatter"]["version"] == 1.1 and made["frontmatter"]["metadata"] == {"since": 2026, "rating": 4.5}
    assert "skill://made-here/references/a%20b%25.md" in [file["uri"] for file in made["resources"]]
    assert (await read_bytes(client, "skill://made-here/data.bin")) == bytes(range(256))

    listed = await every(client, "resources/list", "resources")
    assert {resource["uri"] for resource in listed} == {skill["uri"] for skill in skills}

    unknown = {INVALID_PARAMS, RESOURCE_NOT_FOUND} if client.protocol_version < "2026-07-28" else {INVALID_PARAMS}
    for uri in [
        "skill://no-such/SKILL.md",
        "skill://made-here/no-such.md",
        "skill://made-here/../made-here/SKILL.md",
        "skill://made-here/%2e%2e/made-here/SKILL.md",
        "skill://made-here/references%2Fa%20b%25.md",
        "skill://made-here/references",
        "skill://made-here/%00",
        "file:///etc/passwd",
        "skill://made-here/SKILL.md?x=1",
    ]:
        assert uri in await refused(unknown, client.read_resource(uri)), uri
    for uri in ["skill://no-such/SKILL.md", "skill://made-here", "skill://Made-Here/SKILL.md", "https://x/SKILL.md"]:
        assert uri in await refused({INVALID_PARAMS}, ask(client, "skills/get", uri=uri)), uri
    for uri in ["skill://made-here/SKILL.md", "skill://no-such", "skill://made-here/none", "file:///etc"]:
        assert uri in await refused({INVALID_PARAMS}, ask(client, "resources/directory/read", uri=uri)), uri
    await refused({INVALID_PARAMS}, ask(client, "skills/list", cursor="7"))
    return files


async def walk(client: Client, directory: str):
    for child in await every(client, "resources/directory/read", "resources", uri=directory):
        if child["mimeType"] == "inode/directory":
            async for uri in walk(client, child["uri"]):
                yield uri
        else:
            yield child["uri"]


async def told_of_change(server: StdioServerParameters, root: Path, mode: str) -> None:
    """A skill that appears on disk is told of, and is there."""
    told = asyncio.Event()

    async def heard(message: Any) -> None:
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            told.set()

    name = f"new-{mode}"
    async with Client(server, mode=mode, message_handler=heard) as client:
        assert client.server_capabilities.tools.list_changed
        if mode == "legacy":
            make(root, name, "Appeared while it was served")
            await asyncio.wait_for(told.wait(), 20)
        else:
            async with client.listen(tools_list_changed=True) as events:
                make(root, name, "Appeared while it was served")
                await asyncio.wait_for(anext(aiter(events)), 20)
        names = [skill["frontmatter"]["name"] for skill in await every(client, "skills/list", "skills")]
        assert name in names, names


def make(root: Path, name: str, description: str) -> Path:
    skill = root / name
    skill.mkdir()
    (skill / "SKILL.md").write_text(SKILL.format(name=name, description=description))
    return skill


async def main(program: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        skill = make(root, "made-here", "Says what to do first and then")
        (skill / "references").mkdir()
        (skill / "references" / "a b%.md").write_text("second\n")
        (skill / "data.bin").write_bytes(bytes(range(256)))
        server = StdioServerParameters(command=program, args=["mcp", "--root", folder])
        for mode in ["legacy", "auto"]:
            async with Client(server, mode=mode) as client:
                await tools(client)
                await prompts(client)
                await completions(client)
                files = await extension(client)
                print(f"protocol {client.protocol_version}: four tools, prompts, completions, {files} files with their digests")
            await told_of_change(server, root, mode)
            print("a change on disk was told")
        args = ["mcp", "--root", folder, "--structured", "--tools", "one"]
        await structured(StdioServerParameters(command=program, args=args))
        async with Client(StdioServerParameters(command=program, args=["mcp"])) as client:
            assert not client.server_capabilities.tools.list_changed, "what is compiled in does not change"
            listed = await ask(client, "skills/list")
            assert listed["ttlMs"] > 0 and listed["cacheScope"] == "public", listed
    print("the independent client is content")


asyncio.run(main(sys.argv[1]))
