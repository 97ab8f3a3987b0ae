//! Placeholders in the body that no argument has: L115.
//!
//! `$name` is a variable of the shell more often than not, so a skill is looked at only if it
//! declares arguments, and what its own text sets or the environment has is passed over.

use crate::code::Code;
use crate::fault::Fault;
use crate::frontmatter::Frontmatter;
use crate::source::Span;
use skills_pack::nearest;
use skills_pack::text::{Quoted, did_you_mean};

/// Judges the body, which is at `body` in `text`.
pub(super) fn check(text: &str, body: Span, read: &Frontmatter, faults: &mut Vec<Fault>) {
    if read.arguments.is_empty() {
        return;
    }
    let part = &text[body.clone()];
    let mut seen: Vec<&str> = Vec::new();
    for (at, _) in part.match_indices('$') {
        let Some(name) = placeholder(part, at) else { continue };
        if is_declared(name, &read.arguments) || seen.contains(&name) {
            continue;
        }
        if seen.len() == MAX_NAMES {
            return;
        }
        seen.push(name);
        if is_set(name, part) {
            continue;
        }
        let start = body.start + at;
        faults.push(unknown(name, start..start + 1 + name.len(), &read.arguments));
    }
}

/// How many different names are looked at, each of which is looked for in the whole body.
const MAX_NAMES: usize = 64;

/// The name in a placeholder at the `$` at `at`, unless it is something else to the eye.
fn placeholder(text: &str, at: usize) -> Option<&str> {
    let (before, rest) = (&text[..at], &text[at + 1..]);
    let name_len =
        rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-')).unwrap_or(rest.len());
    let name = rest[..name_len].trim_end_matches('-');
    let after = &rest[name.len()..];
    // `HOME` is the environment's, `$x` and `$i` are variables or mathematics.
    let is_name = name.len() > 1 && name.starts_with(|c: char| c.is_ascii_lowercase());
    let is_escaped = before.ends_with(['\\', '$']) || before.ends_with(|c: char| c.is_ascii_alphanumeric());
    // `"$ref": …` is a key, `$env:PATH` and `$(…)` belong to shells, `$a$` is mathematics.
    let is_key = before.ends_with('"') && after.starts_with("\":");
    let is_other = after.starts_with(['(', ':', '$', '{', '=']) && !after.starts_with(": ");
    (is_name && !is_escaped && !is_key && !is_other).then_some(name)
}

/// Whether a call would replace it: the whole name, or one that is followed by `-`.
fn is_declared(name: &str, arguments: &[String]) -> bool {
    arguments.iter().any(|argument| {
        name.strip_prefix(argument.as_str()).is_some_and(|after| after.is_empty() || after.starts_with('-'))
    })
}

/// Whether the body sets a variable of this name: `name=`, `for name in`, `read name`, `$name = `.
fn is_set(name: &str, body: &str) -> bool {
    body.match_indices(name).any(|(at, _)| {
        let (before, after) = (&body[..at], &body[at + name.len()..]);
        let begins_word = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'));
        let is_declared = ["for ", "foreach ", "read ", "read -r ", "local ", "let ", "function "]
            .iter()
            .any(|word| before.ends_with(word));
        let is_assigned = after.starts_with(['=', '+']) && !after.starts_with("==")
            || before.ends_with('$') && after.trim_start_matches(' ').starts_with("= ");
        begins_word && (is_declared || is_assigned)
    })
}

fn unknown(name: &str, span: Span, arguments: &[String]) -> Fault {
    let declared = arguments.iter().map(|name| format!("`${}`", name.escape_debug())).collect::<Vec<_>>();
    let help = match nearest::closest(name, arguments.iter().map(String::as_str)).first() {
        Some(near) => {
            let near = did_you_mean(Quoted(format_args!("${near}")));
            format!("{near} Else add `{name}` to `arguments`, or write `\\${name}`")
        }
        None => format!("add `{name}` to `arguments`, or write `\\${name}` for the characters themselves"),
    };
    Fault::new(Code::L115, span, format!("`${name}` is not an argument of this skill"))
        .label(format!("declared: {}", declared.join(", ")))
        .help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> Vec<String> {
        let read =
            Frontmatter { arguments: vec!["branch".into(), "pr-number".into()], ..Frontmatter::default() };
        let mut faults = Vec::new();
        check(body, 0..body.len(), &read, &mut faults);
        faults.into_iter().map(|fault| body[fault.span].to_owned()).collect()
    }

    #[test]
    fn what_no_argument_has_is_found_once() {
        assert_eq!(
            found("Check out $brnach and $brnach, then `gh pr view $number`."),
            ["$brnach", "$number"]
        );
        assert_eq!(found("请看$brnach的代码，$branch"), ["$brnach"]);
        assert_eq!(found("$branch: $pr-number $branch-name $pr-numbers"), ["$pr-numbers"]);
    }

    #[test]
    fn variables_of_the_shell_are_let_be() {
        for body in [
            "cd $HOME; echo $i $1 ${branch_name} $(date) \\$word US$word",
            "for file in *; do echo $file; done",
            "sha=$(git rev-parse HEAD); echo $sha",
            "while read -r line; do echo $line; done",
            "$item = Get-Item x; $item.Name; $env:PATH",
            "{\"$schema\": \"x\"} and $ab$",
        ] {
            assert_eq!(found(body), [""; 0], "{body}");
        }
    }
}
