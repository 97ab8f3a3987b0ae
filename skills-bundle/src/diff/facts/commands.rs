//! Commands that a text tells somebody to run, and what looks like code in disguise.

use super::{Fact, Looked, words};
use crate::diff::Kind;

/// Languages of fences whose lines are commands.
const SHELLS: [&str; 16] = [
    "sh",
    "bash",
    "zsh",
    "shell",
    "fish",
    "console",
    "terminal",
    "shell-session",
    "shellsession",
    "sh-session",
    "powershell",
    "ps1",
    "pwsh",
    "cmd",
    "bat",
    "batch",
];

/// Programs whose name at the start of a line makes it a command, in code of no language.
const PROGRAMS: [&str; 60] = [
    "apt",
    "apt-get",
    "awk",
    "base64",
    "bash",
    "brew",
    "bun",
    "bunx",
    "bundle",
    "cargo",
    "cat",
    "chmod",
    "chown",
    "claude",
    "cmake",
    "code",
    "conda",
    "cp",
    "crontab",
    "curl",
    "dd",
    "deno",
    "docker",
    "dotnet",
    "eval",
    "exec",
    "export",
    "find",
    "gem",
    "gh",
    "git",
    "go",
    "gradle",
    "helm",
    "iex",
    "java",
    "kubectl",
    "launchctl",
    "ln",
    "make",
    "mv",
    "nc",
    "node",
    "npm",
    "npx",
    "osascript",
    "perl",
    "php",
    "pip",
    "pip3",
    "pipx",
    "pnpm",
    "powershell",
    "python",
    "python3",
    "rm",
    "ruby",
    "sh",
    "ssh",
    "sudo",
];

/// Others of these programs.
const MORE_PROGRAMS: [&str; 14] = [
    "systemctl",
    "tar",
    "tee",
    "terraform",
    "unzip",
    "uv",
    "uvx",
    "wget",
    "xattr",
    "xargs",
    "yarn",
    "yum",
    "zip",
    "zsh",
];

/// Interpreters that run what is piped into them.
const INTERPRETERS: [&str; 14] = [
    "sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python3", "node", "perl", "ruby", "php", "iex",
    "pwsh",
];

/// So many letters of base64 without a break are data.
const BLOB: usize = 120;

pub(super) fn find(looked: &Looked<'_>, facts: &mut Vec<Fact>) {
    if let Some(parts) = &looked.markdown {
        for code in &parts.code {
            in_code(looked, code, facts);
        }
    }
    let mut is_in_setup = false;
    for (at, line) in looked.text.lines().enumerate() {
        let number = at as u32 + 1;
        disguised(line, number, facts);
        if looked.markdown.is_none() {
            continue;
        }
        if line.trim_start().starts_with('#') {
            is_in_setup = is_about_setup(line);
        } else if (is_in_setup || is_about_setup(line)) && tells_to_fetch(line) {
            let what = "it tells the reader to fetch or run something first";
            facts.push(Fact::of_line(Kind::Commands, number, line, what));
        }
    }
}

fn in_code(looked: &Looked<'_>, code: &super::markdown::Code, facts: &mut Vec<Fact>) {
    let first = looked.line_of(code.span.start);
    let source = &looked.text[code.span.clone()];
    if code.is_run_before {
        let what = "a command that a host runs before a model sees the text";
        facts.push(Fact::of_line(Kind::Commands, first, source.trim_matches('`'), what));
        return;
    }
    let Some(language) = &code.language else {
        let source = source.trim_matches('`').trim();
        if source.contains(' ') && is_command(source) {
            facts.push(Fact::of_line(Kind::Commands, first, source, "a command in the text"));
        }
        return;
    };
    let language = language.split([' ', ',', '{', ':']).next().unwrap_or_default().to_ascii_lowercase();
    // What begins with `!` is run by a host before a model sees it.
    let is_run_before = language == "!";
    let is_shell = SHELLS.contains(&language.as_str());
    for (at, line) in source.lines().enumerate() {
        let (number, line) = (first + at as u32, line.trim());
        let prompted = line.strip_prefix("$ ").or_else(|| line.strip_prefix("PS> "));
        let command = prompted.unwrap_or(line);
        let is_one =
            is_run_before || is_shell || prompted.is_some() || (language.is_empty() && is_command(command));
        let is_comment = command.starts_with('#') || command.starts_with("//") || command.starts_with("::");
        if !is_one || is_comment || command.is_empty() {
            continue;
        }
        let what = if is_run_before {
            "a command that a host runs before a model sees the text"
        } else {
            "a command"
        };
        facts.push(Fact::of_line(Kind::Commands, number, command, what));
    }
}

fn is_command(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let name = first.rsplit('/').next().unwrap_or(first);
    first.starts_with("./") || PROGRAMS.contains(&name) || MORE_PROGRAMS.contains(&name)
}

/// Lines that run what they fetch or decode, in any file.
fn disguised(line: &str, number: u32, facts: &mut Vec<Fact>) {
    let lower = line.to_ascii_lowercase();
    let squeezed: String = lower.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut push = |what: &str| facts.push(Fact::of_line(Kind::Commands, number, line, what));
    if pipes_into_interpreter(&squeezed) {
        push("it runs what comes out of a pipe");
    }
    let fetches = ["curl ", "wget ", "iwr ", "irm ", "invoke-webrequest", "downloadstring", "fetch "];
    let evaluates =
        ["eval ", "eval(", "iex ", "iex(", "invoke-expression", "<(", "exec(", "source /dev/stdin"];
    if fetches.iter().any(|sign| squeezed.contains(sign))
        && evaluates.iter().any(|sign| squeezed.contains(sign))
    {
        push("it runs what it fetches");
    }
    let decodes = [
        "base64 -d",
        "base64 --decode",
        "b64decode",
        "atob(",
        "frombase64string",
        "xxd -r",
        "openssl enc -d",
        "codecs.decode",
        "-encodedcommand",
        "-enc ",
    ];
    if decodes.iter().any(|sign| squeezed.contains(sign)) {
        push("it decodes data");
    }
    let quiets = [
        "xattr -d",
        "xattr -c",
        "spctl --master-disable",
        "set-executionpolicy",
        "--no-verify",
        "setenforce 0",
    ];
    if quiets.iter().any(|sign| squeezed.contains(sign)) {
        push("it turns a protection off");
    }
    let grants = ["chmod +x", "chmod 777", "chmod 755", "chmod a+x", "chmod u+x"];
    if grants.iter().any(|sign| squeezed.contains(sign)) {
        push("it makes a file executable");
    }
    if let Some(length) = blob(line) {
        push(&format!("{length} letters without a break, which may be encoded data"));
    }
}

fn pipes_into_interpreter(line: &str) -> bool {
    line.split('|').skip(1).any(|target| {
        let mut words = target.split([' ', ')', ';', '&', '`', '"']).filter(|word| !word.is_empty());
        let first = words.find(|word| !matches!(*word, "sudo" | "env" | "-e" | "-s" | "nohup" | "exec"));
        let name = first.map(|word| word.rsplit('/').next().unwrap_or(word));
        name.is_some_and(|name| INTERPRETERS.contains(&name))
            // A table of Markdown has blanks and a bar behind a word.
            && !target.trim_end().is_empty()
            && !line.starts_with('|')
    })
}

/// The longest run of letters of base64 in a line, if it is long. Only letters of one kind are a ruler.
fn blob(line: &str) -> Option<usize> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '_' | '-');
    let is_mixed = |run: &&str| {
        run.contains(|c: char| c.is_ascii_lowercase()) && run.contains(|c: char| c.is_ascii_uppercase())
            || run.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let runs = line.split(|c| !is_letter(c)).filter(|run| run.len() >= BLOB).filter(is_mixed);
    runs.map(str::len).max()
}

fn is_about_setup(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    [
        "prerequisite",
        "requirement",
        "before you start",
        "setup",
        "set-up",
        "set up",
        "installation",
        "getting started",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

fn tells_to_fetch(line: &str) -> bool {
    let verbs =
        ["download", "install", "run", "execute", "extract", "unzip", "paste", "fetch", "clone", "curl"];
    let is_verb = |word: &str| {
        verbs.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase().as_str())
    };
    words(line).any(is_verb) && (line.contains("://") || line.contains('`') || line.contains("]("))
}
