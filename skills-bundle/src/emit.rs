//! Turns compiled skills into Rust.
//!
//! The Rust is a few lines and one perfect hash: everything of size is in blocks beside it.
//! Generated code names nothing outside `core` and the crate path that it is given.

use skills_source::writer::Written;

use crate::compile::Generated;
use crate::raw;

/// The name of the tables' file.
pub(crate) const TABLES_FILE: &str = "skills.tables";

/// The name of the file of the lock, as a block that is found in a program.
pub(crate) const LOCK_BLOCK_FILE: &str = "skills.lock.block";

/// The name of the file of a piece of the bytes.
pub(crate) fn bytes_file(slot: usize) -> String {
    format!("skills.bytes.{slot}")
}

/// The name of the file of a piece of the text.
pub(crate) fn text_file(slot: usize) -> String {
    format!("skills.text.{slot}")
}

/// The Rust that a build script leaves: an expression of type `Bundle` that reads the blocks from
/// `OUT_DIR`. `bundle!` takes it, and `include!` can.
///
/// The content's digest is in the code, so that a cache which looks at source text alone cannot
/// serve an old build.
pub fn bundle_from_files(generated: &Generated) -> String {
    with_skills(&bundle_from(generated, &text_forms(generated)))
}

/// How a piece of the text comes into the program.
pub(crate) enum TextForm {
    /// There is nothing in it.
    Empty,
    /// Its file is a raw literal, with this before and after the text.
    Literal(String, String),
    /// Its file holds the text alone.
    AsItIs,
}

impl TextForm {
    /// What the file has before and after the text.
    pub(crate) fn quotes(&self) -> (&str, &str) {
        match self {
            Self::Literal(before, after) => (before, after),
            Self::Empty | Self::AsItIs => ("", ""),
        }
    }
}

/// The form of each piece of the text.
pub(crate) fn text_forms(generated: &Generated) -> Vec<TextForm> {
    let form = |text: &String| match raw::quotes(text) {
        _ if text.is_empty() => TextForm::Empty,
        Some((before, after)) => TextForm::Literal(before, after),
        None => TextForm::AsItIs,
    };
    generated.written.texts.iter().map(form).collect()
}

/// The Rust of [`bundle_from_files`], where the pieces of the text have these forms and the crate `skills`
/// is `__skills`.
pub(crate) fn bundle_from(generated: &Generated, texts: &[TextForm]) -> String {
    let texts = texts.iter().enumerate().map(|(slot, form)| match form {
        TextForm::Empty => Piece::Empty,
        TextForm::Literal(..) => Piece::Of(from_file("include", &text_file(slot))),
        TextForm::AsItIs => Piece::Of(from_file("include_str", &text_file(slot))),
    });
    let bytes = generated.written.bytes.iter().enumerate().map(|(slot, bytes)| match bytes.as_slice() {
        [] => Piece::Empty,
        _ => Piece::Of(from_file("include_bytes", &bytes_file(slot))),
    });
    let lock = generated.lock.as_ref().map(|_| from_file("include_bytes", LOCK_BLOCK_FILE));
    bundle(generated, texts, bytes, &from_file("include_bytes", TABLES_FILE), lock.as_deref())
}

fn from_file(macro_name: &str, name: &str) -> String {
    format!("::core::{macro_name}!(::core::concat!(::core::env!(\"OUT_DIR\"), \"/{name}\"))")
}

/// Code in which the crate `skills` is `__skills`, as an expression by itself.
pub(crate) fn with_skills(code: &str) -> String {
    format!("{{\nuse ::skills as __skills;\n{code}}}\n")
}

/// A piece of a block, as an expression.
pub(crate) enum Piece {
    Empty,
    Of(String),
}

/// The bundle with the blocks as these expressions, where the crate `skills` is `__skills`.
///
/// The bundle is a constant in a function too, so that blocks which do not belong
/// together are found when the program is compiled. Each piece is a static in a module of its own:
/// an incremental build then makes machine code of those alone that changed.
pub(crate) fn bundle(
    generated: &Generated,
    texts: impl Iterator<Item = Piece>,
    bytes: impl Iterator<Item = Piece>,
    tables: &str,
    lock: Option<&str>,
) -> String {
    let texts = pieces("text", "&str", "\"\"", texts);
    let bytes = pieces("bytes", "&[u8]", "(&[] as &[u8])", bytes);
    let names = names(&generated.written);
    let digest = &generated.digest;
    let lock = lock.map_or_else(String::new, |lock| format!(".with_lock({lock})"));
    format!(
        "{{\n{texts}{bytes}    \
         static NAMES: __skills::__private::phf::Map<&'static str, u32> = {names};\n    \
         const BUNDLE: __skills::Bundle = __skills::Bundle::from_static(\n        TEXT,\n        BYTES,\n        \
         {tables},\n        &NAMES,\n        \"{digest}\",\n    ){lock};\n    BUNDLE\n}}\n"
    )
}

/// A module for each piece of a block, and a constant in capitals that lists them.
fn pieces(name: &str, of: &str, empty: &str, pieces: impl Iterator<Item = Piece>) -> String {
    let (mut modules, mut list) = (String::new(), String::new());
    for (slot, piece) in pieces.enumerate() {
        match piece {
            Piece::Empty => list.push_str(&format!("&{empty}, ")),
            Piece::Of(value) => {
                modules.push_str(&format!(
                    "    mod {name}_{slot} {{ pub(super) static PIECE: {of} = {value}; }}\n"
                ));
                list.push_str(&format!("&{name}_{slot}::PIECE, "));
            }
        }
    }
    let capitals = name.to_uppercase();
    format!("{modules}    const {capitals}: &[&{of}] = &[{list}];\n")
}

/// The empty bundle after findings: without it every use of the bundle would be an error of its own.
pub(crate) fn empty_bundle() -> String {
    "__skills::Bundle::EMPTY\n".to_owned()
}

fn names(written: &Written) -> String {
    let mut map = phf_codegen::Map::new();
    map.phf_path("__skills::__private::phf");
    for (name, named) in &written.names {
        map.entry(name.as_str(), named.to_string());
    }
    map.build().to_string()
}
