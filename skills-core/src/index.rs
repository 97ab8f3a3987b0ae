//! The index of a bundle, as `assert_skill_snapshots!` snapshots it: what the texts for the model don't show.
//!
//! A file's mode isn't in it, since some systems have none and a snapshot is the same on all of them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use skills_pack::text::{Hex, Joined};
use skills_pack::{Command, Skill};

use super::bundle::Bundle;
use super::text::Flat;

/// How many bytes of a digest are shown: 12 digits.
const SHOWN_BYTES: usize = 6;

/// Every skill of a bundle with its description, limits and files, each file with its size in bytes and the
/// first 12 digits of its SHA-256; then every slash command with its template.
#[must_use]
pub fn index(bundle: &Bundle) -> String {
    let skills = bundle.skills().map(of_skill);
    let blocks: Vec<String> = skills.chain(bundle.commands().map(of_command)).collect();
    blocks.join("\n")
}

fn of_skill(skill: Skill<'_>) -> String {
    let mut text = head(skill.name(), skill.description());
    let mut limits = Vec::new();
    if !skill.model_may_call() {
        limits.push("a model may not call it");
    }
    if !skill.user_may_call() {
        limits.push("a user may not call it");
    }
    write_limits(&mut text, &limits);
    if skill.allowed_tools().len() > 0 {
        let tools = Joined(skill.allowed_tools().map(Flat), ", ");
        push(&mut text, format_args!("  allowed tools: {tools}\n"));
    }
    for file in skill.files() {
        let digest = file.sha256().map_or(&[][..], |digest| &digest[..SHOWN_BYTES]);
        let (path, size) = (Flat(file.path()), file.size());
        push(&mut text, format_args!("  file: {path}, {size} bytes, {}\n", Hex(digest)));
    }
    text
}

fn of_command(command: Command<'_>) -> String {
    let hint = command.argument_hint().map(|hint| format!(" {}", Flat(hint))).unwrap_or_default();
    let mut text = head(&format!("/{}{hint}", command.name()), command.description());
    write_limits(&mut text, if command.is_hidden() { &["hidden from lists"] } else { &[] });
    push(&mut text, format_args!("  template:\n"));
    for line in command.template().lines() {
        push(&mut text, format_args!("    | {}\n", Flat(line)));
    }
    text
}

fn head(name: &str, description: &str) -> String {
    format!("{name}\n  description: {}\n", Flat(description))
}

fn write_limits(text: &mut String, limits: &[&str]) {
    if !limits.is_empty() {
        push(text, format_args!("  limits: {}\n", limits.join(", ")));
    }
}

fn push(text: &mut String, line: core::fmt::Arguments<'_>) {
    // Writing into a string doesn't fail.
    let _ = text.write_fmt(line);
}
