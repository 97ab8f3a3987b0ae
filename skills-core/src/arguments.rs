//! Puts the arguments of a call into a skill's instructions.
//!
//! | in the body | becomes |
//! | --- | --- |
//! | `$ARGUMENTS` | all arguments, trimmed |
//! | `$ARGUMENTS[N]` | word N, counted from 0; quotes group words; empty if there is no such word |
//! | `$N`, `$name` | that word, if the skill declares `arguments` and the call has the word |
//! | `${SKILL_DIR}`, `${CLAUDE_SKILL_DIR}` | the skill's directory |
//! | `\$` | a dollar sign |
//!
//! Everything else stays, since it is usually shell code. There is one pass: inserted text is never scanned
//! for placeholders. Nothing is executed.

use alloc::string::String;
use alloc::vec::Vec;

/// Returns `body` with `arguments` in place of its placeholders, or after it if it has none.
///
/// `names` are the argument names that the skill declares, in order.
pub(super) fn put_in(body: &str, arguments: &str, names: &[&str], directory: &str) -> String {
    let all = arguments.trim();
    let words = words(all);
    let mut text = String::with_capacity(body.len() + all.len());
    let mut has_place = false;
    let mut rest = body;
    while let Some(at) = rest.find(['$', '\\']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("\\$") {
            text.push('$');
            rest = after;
            continue;
        }
        match placeholder(rest, names) {
            Some((Placeholder::All, len)) => {
                has_place = true;
                text.push_str(all);
                rest = &rest[len..];
            }
            Some((Placeholder::Word { index, only_given }, len)) => {
                has_place = true;
                match words.get(index) {
                    Some(word) => text.push_str(word),
                    None if only_given => text.push_str(&rest[..len]),
                    None => {}
                }
                rest = &rest[len..];
            }
            Some((Placeholder::Directory, len)) => {
                text.push_str(directory);
                rest = &rest[len..];
            }
            None => {
                // `$` and `\` are one byte long.
                text.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    if !has_place && !all.is_empty() {
        text.push_str("\n\nARGUMENTS: ");
        text.push_str(all);
    }
    text
}

enum Placeholder {
    All,
    Word { index: usize, only_given: bool },
    Directory,
}

/// The placeholder at the start of `text`, and its length in bytes.
fn placeholder(text: &str, names: &[&str]) -> Option<(Placeholder, usize)> {
    for directory in ["${SKILL_DIR}", "${CLAUDE_SKILL_DIR}"] {
        if text.starts_with(directory) {
            return Some((Placeholder::Directory, directory.len()));
        }
    }
    let name = text.strip_prefix('$')?;
    if let Some(after) = name.strip_prefix("ARGUMENTS").filter(|after| ends_word(after)) {
        let length = text.len() - after.len();
        if let Some(index) = after.strip_prefix('[') {
            let digits = leading_digits(index);
            if let (Some(number), true) = (number(digits), index[digits.len()..].starts_with(']')) {
                let length = length + digits.len() + 2;
                return Some((Placeholder::Word { index: number, only_given: false }, length));
            }
        }
        return Some((Placeholder::All, length));
    }
    if names.is_empty() {
        return None;
    }
    let digits = leading_digits(name);
    if let Some(index) = number(digits) {
        return Some((Placeholder::Word { index, only_given: true }, digits.len() + 1));
    }
    let longest = names
        .iter()
        .enumerate()
        .filter(|(_, known)| !known.is_empty() && name.strip_prefix(**known).is_some_and(ends_word));
    let (index, known) = longest.max_by_key(|(_, known)| known.len())?;
    Some((Placeholder::Word { index, only_given: true }, known.len() + 1))
}

fn leading_digits(text: &str) -> &str {
    text.split_once(|c: char| !c.is_ascii_digit()).map_or(text, |(digits, _)| digits)
}

fn number(digits: &str) -> Option<usize> {
    digits.parse().ok()
}

fn ends_word(after: &str) -> bool {
    !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

/// Splits arguments at white space. Quotes group words and are removed.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_in_one_pass() {
        let put = |body: &str, arguments: &str| put_in(body, arguments, &[], "skills/x");
        assert_eq!(put("A=$ARGUMENTS.", " cost $100 $& $$ $1 "), "A=cost $100 $& $$ $1.");
        assert_eq!(put("$ARGUMENTS[1]|$ARGUMENTS[9]|", "a 'b c' d"), "b c||");
        assert_eq!(put("in ${SKILL_DIR} and ${CLAUDE_SKILL_DIR}", ""), "in skills/x and skills/x");
        assert_eq!(put("x $ARGUMENTS y", ""), "x  y");
        assert_eq!(put("$ARGUMENTS[x] $ARGUMENTS[] $ARGUMENTS[+1] $ARGUMENTS[", "a"), "a[x] a[] a[+1] a[");
        assert_eq!(put("$ARGUMENTS", "$ARGUMENTS \\$ ${SKILL_DIR}"), "$ARGUMENTS \\$ ${SKILL_DIR}");
    }

    #[test]
    fn a_name_ends_before_a_letter_outside_ascii() {
        let put = |body: &str| put_in(body, "主 副", &["file"], "d");
        assert_eq!(put("请审查$ARGUMENTS的代码"), "请审查主 副的代码");
        assert_eq!(put("$file的 $fileé $ARGUMENTSé $files"), "主的 主é 主 副é $files");
    }

    #[test]
    fn shell_variables_stay() {
        let body = "f() { echo \"$1\" $ARGUMENTS_FILE ${x} $$ $; }\nawk '{ print $0 }' C:\\dir";
        assert_eq!(put_in(body, "", &[], "d"), body);
        assert_eq!(put_in("echo \\$1", "", &[], "d"), "echo $1");
    }

    #[test]
    fn declared_arguments_are_replaced_if_given() {
        let put = |body: &str, arguments: &str| put_in(body, arguments, &["file", "file-mode"], "d");
        assert_eq!(put("$0 $1 $2", "a b"), "a b $2");
        assert_eq!(put("$file $file-mode $files $file.", "a b"), "a b $files a.");
        assert_eq!(put("$file", ""), "$file");
    }

    #[test]
    fn arguments_follow_a_body_without_placeholders() {
        assert_eq!(put_in("Body", " a  b ", &[], "d"), "Body\n\nARGUMENTS: a  b");
        assert_eq!(put_in("Body", "  ", &[], "d"), "Body");
        assert_eq!(put_in("in ${SKILL_DIR}", "a", &[], "d"), "in d\n\nARGUMENTS: a");
    }
}
