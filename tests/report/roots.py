"""Makes directories of skills: hostile ones, ordinary ones, and one that is locked."""

import hashlib
import pathlib

# Each must stay text wherever it gets to: in names, descriptions, values, bodies, file names and the lock.
MARKUP = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</style><style>*{display:none}</style>",
    "<svg onload=alert(1)>",
    "<svg><title><img src=x onerror=alert(1)></title></svg>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<object data=javascript:alert(1)>",
    "<embed src=//evil.example/x>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<meta http-equiv=refresh content=0;url=//evil.example/>",
    "<base href=//evil.example/>",
    "<form action=//evil.example/><input name=a autofocus onfocus=alert(1)>",
    "<a href=javascript:alert(1)>here</a>",
    "<details open ontoggle=alert(1)>",
    "<body onload=alert(1)>",
    "<marquee onstart=alert(1)>",
    "<video src=x onerror=alert(1)>",
    "<audio autoplay src=//evil.example/a>",
    "<math><mi xlink:href=javascript:alert(1)>x",
    "<template><img src=x onerror=alert(1)></template>",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<textarea></textarea><img src=x onerror=alert(1)>",
    "<title></title><img src=x onerror=alert(1)>",
    "<xmp><img src=x onerror=alert(1)></xmp>",
    "<plaintext>",
    "<!--<img src=\"--><img src=x onerror=alert(1)//\">",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<?xml version=1?><img src=x onerror=alert(1)>",
    "</pre><img src=x onerror=alert(1)>",
    "</code></details></summary></main></body></html><img src=x onerror=alert(1)>",
    "</dd></dl><h1>You may trust this</h1>",
    "\" onmouseover=alert(1) x=\"",
    "' onmouseover=alert(1) x='",
    "\"><img src=x onerror=alert(1)>",
    "'><img src=x onerror=alert(1)>",
    "` onmouseover=alert(1) `",
    "x onerror=alert(1) src=x",
    "&lt;img src=x onerror=alert(1)&gt;",
    "&#60;img src=x onerror=alert(1)&#62;",
    "&amp;lt;script&amp;gt;",
    "\\u003cimg src=x onerror=alert(1)\\u003e",
    "%3Cimg%20src=x%20onerror=alert(1)%3E",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "${alert(1)}",
    "{{constructor.constructor('alert(1)')()}}",
    "url(javascript:alert(1))",
    "expression(alert(1))",
    "@import '//evil.example/x.css';",
]
HIDDEN = [
    "safe \u202e)1(trela=rorreno gmi<",
    "a\u200bb <b>\u2066c\u2069</b>",
    "\U000e0041\U000e0042 <i>tags</i>",
    "x\ufe0fy <u>selector</u>",
    "null\u2028line <br>\u2029separators",
]


def strings():
    """More than 200 of them: each markup as it is, in other letters, cut, and after what ends a value."""
    found = list(MARKUP)
    for markup in MARKUP:
        found += [markup.swapcase(), markup.rstrip(">"), "]]>\"'--" + markup]
    return found + HIDDEN


def quoted(text):
    """A double-quoted scalar of YAML."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\u2028", "\\L").replace("\u2029", "\\P") + '"'


def skill(root, name, description, body="Text.\n", fields=""):
    directory = root / name
    directory.mkdir(parents=True)
    text = f"---\nname: {name}\ndescription: {description}\n{fields}---\n\n{body}"
    (directory / "SKILL.md").write_text(text, encoding="utf-8")
    return directory


def hostile(root):
    """A skill for each string, which has it in every place that can hold it."""
    for at, text in enumerate(strings()):
        name = f"skill-{at:03}"
        field = quoted(text)
        fields = f"license: {field}\nversion: {field}\nallowed-tools: [{field}, Read]\nmetadata:\n  note: {field}\n{field}: {field}\n"
        body = f"{text}\n\n```sh\ncurl https://evil.example/{at} {text}\npip install x {text}\n```\n\n[{text}](missing-{at}.md)\n"
        directory = skill(root, name, field, body, fields)
        # No file system takes a slash in a name.
        file = text.replace("/", "\u2044").replace("\n", " ")[:80]
        (directory / file).write_text(f"{text} https://evil.example/{text}\n", encoding="utf-8")
    # Names that no rule takes: the skills are broken, and still in the report.
    for at, text in enumerate(MARKUP[:20]):
        directory = root / text.replace("/", "\u2044")
        directory.mkdir()
        file = directory / "SKILL.md"
        file.write_text(f"---\nname: {quoted(text)}\ndescription: x\n---\n{text}\n", encoding="utf-8")
    return len(strings()) + 20


def ordinary(root, count):
    """Skills of a usual size, with a script and two more files each."""
    for at in range(count):
        body = "".join(f"## Step {step}\n\nRead the table of part {step}, and compare it with the other one.\n\n" for step in range(20))
        body += f"```sh\npython3 scripts/run.py --number {at}\npip install package-{at % 50}\ncurl -sS https://host-{at % 80}.example/api\n```\n"
        fields = "license: MIT\nallowed-tools: Read, Bash(git add *)\n" if at % 3 else ""
        description = f"Compares tables of part {at}. Use it when somebody asks which rows of two tables differ, and why they do."
        directory = skill(root, f"table-{at:04}", description, body, fields)
        (directory / "scripts").mkdir()
        (directory / "scripts" / "run.py").write_text(f"import os\nprint(os.environ['HOME'], {at})\n")
        (directory / "references").mkdir()
        (directory / "references" / "tables.md").write_text("A table has rows.\n" * 60)
        (directory / "LICENSE.txt").write_text("MIT\n")


def lock(project, name, edited=False):
    """Locks a skill of the project as if it were from a repository."""
    directory = project / "skills" / name
    lines = []
    for file in sorted(path for path in directory.rglob("*") if path.is_file()):
        data = file.read_bytes()
        path = file.relative_to(directory).as_posix()
        lines.append(f"644 {len(data)} {hashlib.sha256(data).hexdigest()} {path}")
    digest = hashlib.sha256("".join(f"{line}\n" for line in ["skills-tree-v1", *lines]).encode()).hexdigest()
    files = "".join(f'  "{line}",\n' for line in lines)
    entry = f"""
[[skill]]
name = "{name}"
dir = "skills/{name}"
source = "acme/skills/skills/{name}#v1.2.0"
url = "https://github.com/acme/skills.git"
path = "skills/{name}"
ref = "refs/tags/v1.2.0"
commit = "0123456789abcdef0123456789abcdef01234567"
tree = "76543210fedcba9876543210fedcba9876543210"
license = "MIT"
digest = "sha256:{digest}"
files = [
{files}]
"""
    file = project / "skill-sources.lock"
    before = file.read_text() if file.exists() else "version = 1\n"
    file.write_text(before + entry)
    if edited:
        (directory / "SKILL.md").open("a").write("More.\n")


def project(directory):
    """A small project: a locked skill, one that was edited, and some of its own."""
    project = pathlib.Path(directory)
    ordinary(project / "skills", 8)
    lock(project, "table-0001")
    lock(project, "table-0002", edited=True)
    skill(project / "skills", "no-tables", "Says <when> nothing fits", "See [this](missing.md).\n", "disable-model-invocation: true\n")
    (project / "skills" / "broken").mkdir()
    (project / "skills" / "broken" / "SKILL.md").write_text("# No fields\n")
    return project
