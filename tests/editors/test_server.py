"""`skills lsp` as an editor sees it, through pytest-lsp: the capabilities are those that VS Code announces."""

import json
import os
import pathlib
import subprocess

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

SKILLS = os.environ["SKILLS"]
BAD = "---\nname: pdf\ndescripton: Reads 😀 forms: all\n---\n[fields](references/felds.md)\n"
FIXED = BAD.replace("descripton: Reads 😀 forms: all", 'description: "Reads 😀 forms: all"')


@pytest.fixture
def skill(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "skills" / "pdf" / "SKILL.md"
    (path.parent / "references").mkdir(parents=True)
    (path.parent / "references" / "fields.md").write_text("x")
    path.write_text(BAD)
    other = tmp_path / "skills" / "xls" / "SKILL.md"
    other.parent.mkdir()
    other.write_text("---\nname: xls\ndescription: Sums columns\n---\nRather than `pdf`, for sheets.\n")
    return path


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[SKILLS, "lsp"]))
async def client(lsp_client: LanguageClient, tmp_path: pathlib.Path):
    folder = types.WorkspaceFolder(uri=tmp_path.as_uri(), name="x")
    params = types.InitializeParams(
        capabilities=client_capabilities("visual-studio-code"), workspace_folders=[folder]
    )
    lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


async def opened(client: LanguageClient, path: pathlib.Path, language: str = "skill") -> list[types.Diagnostic]:
    item = types.TextDocumentItem(uri=path.as_uri(), language_id=language, version=1, text=path.read_text())
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics[path.as_uri()])


def as_checked(path: pathlib.Path) -> list[tuple[str, int]]:
    """What `skills check` says of the file."""
    ran = subprocess.run(
        [SKILLS, "check", "skills", "--format", "json-lines"], cwd=path.parents[2], capture_output=True, text=True
    )
    findings = [json.loads(line) for line in ran.stdout.splitlines()]
    return [(finding["code"], finding["line"] - 1) for finding in findings if finding["path"].endswith("pdf/SKILL.md")]


def edited(text: str, edits: list[types.TextEdit]) -> str:
    """The text after edits, which are in UTF-16 code units."""
    units = [line.encode("utf-16-le") for line in text.splitlines(keepends=True)] + [b""]
    starts = [sum(map(len, units[:number])) for number in range(len(units))]
    whole = b"".join(units)
    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        start, end = (starts[at.line] + 2 * at.character for at in (edit.range.start, edit.range.end))
        whole = whole[:start] + edit.new_text.encode("utf-16-le") + whole[end:]
    return whole.decode("utf-16-le")


async def actions(client: LanguageClient, path: pathlib.Path, line: int, kind: str) -> list[types.CodeAction]:
    at = types.Position(line=line, character=0)
    end = types.Position(line=line, character=80)
    return await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=types.TextDocumentIdentifier(uri=path.as_uri()),
            range=types.Range(start=at, end=end),
            context=types.CodeActionContext(diagnostics=[], only=[kind]),
        )
    )


def text_edits(action: types.CodeAction) -> list[types.TextEdit]:
    return [edit for change in action.edit.document_changes for edit in change.edits]


@pytest.mark.asyncio
@pytest.mark.parametrize("language", ["skill", "markdown"])
async def test_findings_are_those_of_a_check(client: LanguageClient, skill: pathlib.Path, language: str):
    found = await opened(client, skill, language)
    assert [(one.code, one.range.start.line) for one in found] == as_checked(skill)
    assert {one.source for one in found} == {"skills"}


@pytest.mark.asyncio
async def test_everything_is_fixed(client: LanguageClient, skill: pathlib.Path):
    await opened(client, skill)
    (everything,) = await actions(client, skill, 0, types.CodeActionKind.SourceFixAll)
    assert edited(BAD, text_edits(everything)) == FIXED
    (link,) = await actions(client, skill, 4, types.CodeActionKind.QuickFix)
    assert "references/fields.md" in edited(BAD, text_edits(link))


@pytest.mark.asyncio
async def test_typing_is_followed(client: LanguageClient, skill: pathlib.Path):
    await opened(client, skill)
    end = BAD.splitlines()[2]
    at = len(end.encode("utf-16-le")) // 2
    # One key after the other, after an emoji.
    for version, letter in enumerate(" 😀!", start=2):
        place = types.Position(line=2, character=at)
        at += len(letter.encode("utf-16-le")) // 2
        change = types.TextDocumentContentChangePartial(range=types.Range(start=place, end=place), text=letter)
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                text_document=types.VersionedTextDocumentIdentifier(uri=skill.as_uri(), version=version),
                content_changes=[change],
            )
        )
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    (everything,) = await actions(client, skill, 0, "source.fixAll.skills")
    typed = BAD.replace("forms: all", "forms: all 😀!")
    assert edited(typed, text_edits(everything)) == FIXED.replace("forms: all", "forms: all 😀!")


def test_it_ends_when_nobody_is_there():
    ran = subprocess.run([SKILLS, "lsp"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "docs/editors.md" in ran.stderr


@pytest.mark.parametrize("junk", ["junk\r\n\r\n", "Content-Length: 3\r\n\r\n{]}"])
def test_junk_is_no_crash(junk: str):
    ran = subprocess.run([SKILLS, "lsp"], input=junk, capture_output=True, text=True, timeout=20)
    assert ran.returncode == 2 and "panicked" not in ran.stderr, ran.stderr
