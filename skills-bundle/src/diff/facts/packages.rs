//! Packages that a text installs or runs from a registry, and whether their version is pinned.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::Fact;
use crate::diff::Kind;

/// Words that install or run packages, and whether only the first word behind them is one.
const INSTALLERS: [(&[&str], bool); 47] = [
    (&["npx"], true),
    (&["bunx"], true),
    (&["uvx"], true),
    (&["pnpx"], true),
    (&["npm", "install"], false),
    (&["npm", "i"], false),
    (&["npm", "add"], false),
    (&["npm", "exec"], true),
    (&["npm", "create"], true),
    (&["pnpm", "add"], false),
    (&["pnpm", "install"], false),
    (&["pnpm", "dlx"], true),
    (&["yarn", "add"], false),
    (&["yarn", "dlx"], true),
    (&["bun", "add"], false),
    (&["bun", "install"], false),
    (&["pip", "install"], false),
    (&["pip3", "install"], false),
    (&["pipx", "install"], false),
    (&["pipx", "run"], true),
    (&["uv", "add"], false),
    (&["uv", "tool"], true),
    (&["poetry", "add"], false),
    (&["conda", "install"], false),
    (&["cargo", "install"], false),
    (&["cargo", "binstall"], false),
    (&["cargo", "add"], false),
    (&["go", "install"], false),
    (&["go", "run"], true),
    (&["go", "get"], false),
    (&["gem", "install"], false),
    (&["brew", "install"], false),
    (&["apt", "install"], false),
    (&["apt-get", "install"], false),
    (&["dnf", "install"], false),
    (&["yum", "install"], false),
    (&["apk", "add"], false),
    (&["choco", "install"], false),
    (&["winget", "install"], false),
    (&["docker", "run"], true),
    (&["docker", "pull"], true),
    (&["podman", "run"], true),
    (&["deno", "run"], true),
    (&["composer", "require"], false),
    (&["code", "--install-extension"], true),
    (&["claude", "mcp"], true),
    (&["skills", "add"], true),
];

/// Words of a tool's own between its name and a package.
const BETWEEN: [&str; 6] = ["install", "run", "pip", "add", "tool", "--"];

/// The most packages of a line that are listed; more are counted.
const MAX_PACKAGES: usize = 256;

/// The most characters of a command that are shown with each of its packages.
const MAX_SHOWN: usize = 200;

pub(super) fn find(line: &str, number: u32, facts: &mut Vec<Fact>) {
    let mut count = 0;
    // A command ends where the next one begins.
    for command in line.split([';', '|', '&', '`', '"', '\'', '(', ')', '[', ']']) {
        let words: Vec<&str> = command.split_whitespace().collect();
        let found = (0..words.len()).find_map(|at| {
            INSTALLERS.iter().find(|(name, _)| starts_with(&words[at..], name)).map(|found| (at, found))
        });
        let Some((at, (name, is_one))) = found else { continue };
        let rest = &words[at + name.len()..];
        let version = rest.iter().position(|word| matches!(*word, "--version" | "--vers"));
        let is_versioned = version.is_some() || rest.iter().any(|word| word.starts_with("--version="));
        let (tool, shown) = (name.join(" "), shown(line, command));
        let mut skip_value = false;
        for word in rest {
            let is_value = std::mem::replace(&mut skip_value, takes_value(word));
            let is_package = !is_value && !word.starts_with('-') && !BETWEEN.contains(word) && is_name(word);
            if !is_package {
                continue;
            }
            count += 1;
            if count > MAX_PACKAGES {
                if *is_one {
                    break;
                }
                continue;
            }
            let package = word.trim_end_matches(['.', ',', ':', '*']);
            let pinned = if is_versioned || is_pinned(package) { "" } else { ": its version isn't pinned" };
            let what = format!("`{tool} {package}`{pinned}");
            let key = format!("{tool} {package}");
            facts.push(Fact { kind: Kind::Packages, key, line: number, what, text: Some(shown.clone()) });
            if *is_one {
                break;
            }
        }
    }
    if count > MAX_PACKAGES {
        // Other packages in place of these are news, also where they are as many.
        let mut hasher = DefaultHasher::new();
        line.hash(&mut hasher);
        let what = format!("{} more packages in this line, which are not listed", count - MAX_PACKAGES);
        let key = format!("{what}: {}", hasher.finish());
        facts.push(Fact { kind: Kind::Packages, key, line: number, what, text: Some(shown(line, line)) });
    }
}

/// A line if it is short, else the start of the command in it.
fn shown(line: &str, command: &str) -> String {
    let (line, command) = (line.trim(), command.trim());
    if line.char_indices().nth(MAX_SHOWN).is_none() {
        return line.to_owned();
    }
    command
        .char_indices()
        .nth(MAX_SHOWN)
        .map_or_else(|| command.to_owned(), |(at, _)| format!("{}…", &command[..at]))
}

fn starts_with(words: &[&str], name: &[&str]) -> bool {
    let is_same = |(word, name): (&&str, &&str)| word.rsplit('/').next() == Some(*name);
    words.len() > name.len() && words.iter().zip(name).all(is_same)
}

/// Flags whose value is no package.
fn takes_value(flag: &str) -> bool {
    matches!(
        flag,
        "-r" | "--requirement"
            | "-i"
            | "--index-url"
            | "--extra-index-url"
            | "-v"
            | "--volume"
            | "-e"
            | "--env"
            | "--name"
            | "--version"
            | "--vers"
            | "--git"
            | "--tag"
            | "--rev"
            | "--branch"
            | "--registry"
            | "--prefix"
            | "--features"
            | "--python"
    )
}

/// Whether a word can be a package's name, and isn't a word of prose or of a shell.
fn is_name(word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "@/._-+=:~^<>!".contains(c);
    word.chars().all(is_part)
        && word.contains(|c: char| c.is_ascii_alphabetic())
        && !matches!(
            word,
            "the"
                | "a"
                | "an"
                | "it"
                | "this"
                | "and"
                | "or"
                | "to"
                | "with"
                | "from"
                | "all"
                | "them"
                | "is"
                | "in"
                | "for"
        )
}

/// Whether a package has a version, a commit or a digest.
fn is_pinned(package: &str) -> bool {
    if package.contains("==") || package.contains("@sha256:") {
        return true;
    }
    let Some((_, version)) = package.get(1..).and_then(|rest| rest.rsplit_once('@')) else { return false };
    let version = version.strip_prefix('v').unwrap_or(version);
    // `@1` and `@^1.2` take what comes later.
    version.starts_with(|c: char| c.is_ascii_digit()) && version.matches('.').count() >= 2
        || matches!(version.len(), 40 | 64) && version.bytes().all(|byte| byte.is_ascii_hexdigit())
}
