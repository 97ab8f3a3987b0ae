//! What the writer says of a skill and its files: the head of the answer to `load`, and media types.

use std::ops::Range;

use skills_pack::hidden;

use super::SkillSource;
use crate::frontmatter::Text;

/// The answer to `load` up to the description, and where in it the path stands, with escapes for what nobody
/// sees.
pub(super) fn head(source: &SkillSource<'_>) -> (String, Range<usize>) {
    let read = &source.text.frontmatter;
    let text = |text: &Option<Text>| text.as_ref().map_or_else(String::new, |text| text.value.clone());
    let mut head = format!("Skill: {}\nPath: ", source.text.name);
    let start = head.len();
    head.push_str(&hidden::shown(source.path));
    let path = start..head.len();
    head.push('\n');
    for (label, value) in [
        ("Version", text(&read.version)),
        ("Author", text(&read.author)),
        ("License", text(&read.license)),
        ("Compatibility", text(&read.compatibility)),
        ("Tags", read.tags.join(", ")),
        ("Allowed tools", read.allowed_tools.join(", ")),
        ("Triggers", read.triggers.join(", ")),
    ] {
        if !value.is_empty() {
            // A value on several lines could pass one of them off for another field.
            let value =
                value.replace("\r\n", " ").replace(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'], " ");
            head.push_str(&format!("{label}: {value}\n"));
        }
    }
    head.push_str("\nDescription:\n");
    (head, path)
}

/// By the file's ending. A text is never taken for sound, film or image: `.ts` is TypeScript.
pub fn media_type(path: &str, is_text: bool) -> &'static str {
    let fallback = if is_text { "text/plain" } else { "application/octet-stream" };
    let guess = mime_guess::from_path(path).first_raw().unwrap_or(fallback);
    let is_media = ["audio/", "video/", "image/", "font/"].iter().any(|kind| guess.starts_with(kind));
    match is_text {
        true if is_media && guess != "image/svg+xml" => fallback,
        true if guess == "application/octet-stream" => fallback,
        false if guess.starts_with("text/") => fallback,
        _ => guess,
    }
}

/// Whether a file is a text as far as its name tells; a name that tells nothing is that of a text.
pub(super) fn is_text_by_name(path: &str) -> bool {
    let Some(guess) = mime_guess::from_path(path).first_raw() else { return true };
    let media = ["audio/", "video/", "image/", "font/", "application/"];
    let texts = ["json", "xml", "yaml", "toml", "javascript", "x-sh", "sql"];
    !media.iter().any(|kind| guess.starts_with(kind))
        || texts.iter().any(|text| guess.contains(text))
        || std::path::Path::new(path).extension().is_some_and(|ending| ending == "ts")
}
