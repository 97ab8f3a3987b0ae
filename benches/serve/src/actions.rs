//! The actions whose allocations are counted.
//!
//! One table for both programs: `allocations` calls them, `serve` shows what it found.

use std::hint::black_box;

use crate::material::{FILE, Questions};

/// Something that is done with one skill, given by its place in the questions.
pub type Action = fn(&Questions<'_>, usize);

/// Each action with its name in the table and the most allocations that it may make, where that was promised.
pub const ACTIONS: [(&str, Option<u64>, Action); 14] = [
    ("`Bundle::get`", Some(0), |of, at| use_up(of.material.bundle.get(&of.names[at]))),
    ("`Registry::get`", Some(0), |of, at| use_up(of.material.registry.get(&of.names[at]))),
    ("`Registry::get`, capitals, blanks and `**`", Some(0), |of, at| {
        use_up(of.material.registry.get(&of.loose_names[at]));
    }),
    ("all accessors of a skill", Some(0), every_accessor),
    ("`load`", Some(0), |of, at| use_up(of.material.registry.load(&of.names[at]))),
    ("`load`, then `text()`", Some(1), |of, at| {
        use_up(of.material.registry.load(&of.names[at]).map(|loaded| loaded.text()));
    }),
    ("`read_file`", Some(0), |of, at| use_up(of.material.registry.read_file(&of.names[at], FILE, 0))),
    ("`read_file`, then `to_text()`", None, |of, at| {
        let read = of.material.registry.read_file(&of.names[at], FILE, 0);
        use_up(read.map(|content| content.to_text()));
    }),
    ("`list`", None, |of, _| use_up(of.material.registry.list())),
    ("`list`, then `to_string()`", None, |of, _| use_up(of.material.registry.list().to_string())),
    ("`search` for its name", None, |of, at| use_up(of.material.registry.search(&of.names[at]))),
    ("`call` with a bare `load`", None, |of, at| use_up(of.material.registry.call(&of.calls[at]))),
    ("`call` with a wrapped `load`", None, |of, at| {
        use_up(of.material.registry.call(&of.wrapped_calls[at]));
    }),
    ("`serde_json` to a `Value`, and a copy", None, |of, at| {
        use_up(crate::groups::call::by_hand(of.material, &of.calls[at]));
    }),
];

/// Nothing is left out because nobody looks at it.
fn use_up<T>(answer: T) {
    black_box(answer);
}

fn every_accessor(of: &Questions<'_>, at: usize) {
    let Some(skill) = of.material.bundle.get(&of.names[at]) else { return };
    black_box((skill.name(), skill.path(), skill.description(), skill.body(), skill.head(), skill.tree()));
    black_box((skill.version(), skill.author(), skill.license(), skill.compatibility()));
    skill.tags().chain(skill.triggers()).chain(skill.allowed_tools()).for_each(use_up);
    skill.frontmatter().for_each(use_up);
    skill.files().for_each(|file| use_up((file.path(), file.bytes(), file.media_type(), file.sha256())));
}
