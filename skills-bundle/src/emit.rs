//! Turns compiled skills into Rust.
//!
//! The Rust is a few lines and one perfect hash: everything of size stands in blocks beside it.
//! Generated code names nothing outside `core` and the crate path that it is given.

use skills_core::pack::writer::Written;

use crate::compile::Generated;

/// The name of the tables' file.
pub(crate) const TABLES_FILE: &str = "skills.tables";

/// The name of the file of a piece of the text.
pub(crate) fn text_file(slot: usize) -> String {
    piece_file("skills.text", slot)
}

/// The name of the file of a piece of the bytes.
pub(crate) fn bytes_file(slot: usize) -> String {
    piece_file("skills.bytes", slot)
}

fn piece_file(name: &str, slot: usize) -> String {
    if slot == 0 { name.to_owned() } else { format!("{name}.{slot}") }
}

/// Gives the crate `skills` the name by which generated code knows it. `bundle!` puts the path that it
/// was given in place of this.
pub(crate) const USE_SKILLS: &str = "use ::skills as __skills;";

/// The Rust that a build script leaves: an expression of type `Bundle` that reads the blocks from
/// `OUT_DIR`. `bundle!` takes it, and `include!` can.
///
/// The content's digest stands in the text, so that a cache which looks at source text alone cannot
/// serve an old build.
pub fn bundle_from_files(generated: &Generated) -> String {
    let file = |macro_name: &str, name: &str| {
        format!("::core::{macro_name}!(::core::concat!(::core::env!(\"OUT_DIR\"), \"/{name}\"))")
    };
    let written = &generated.written;
    let texts = written.texts.iter().enumerate().map(|(slot, text)| match text.as_str() {
        "" => "\"\"".to_owned(),
        _ => file("include_str", &text_file(slot)),
    });
    let bytes = written.bytes.iter().enumerate().map(|(slot, bytes)| match bytes.as_slice() {
        [] => "&[]".to_owned(),
        _ => file("include_bytes", &bytes_file(slot)),
    });
    with_skills(&bundle(generated, texts, bytes, &file("include_bytes", TABLES_FILE)))
}

/// What it leaves after findings.
pub(crate) fn empty_bundle_file() -> String {
    with_skills(&empty_bundle())
}

fn with_skills(code: &str) -> String {
    format!("{{\n{USE_SKILLS}\n{code}}}\n")
}

/// The bundle with the blocks as these expressions, where the crate `skills` is `__skills`.
///
/// The bundle is a constant also where it stands in a function, so that blocks which do not belong
/// together are found when the program is compiled.
pub(crate) fn bundle(
    generated: &Generated,
    texts: impl Iterator<Item = String>,
    bytes: impl Iterator<Item = String>,
    tables: &str,
) -> String {
    let list =
        |pieces: Vec<String>| format!("&[\n            {},\n        ]", pieces.join(",\n            "));
    let (texts, bytes) = (list(texts.collect()), list(bytes.collect()));
    let names = names(&generated.written);
    let digest = &generated.digest;
    format!(
        "{{\n    static NAMES: __skills::__private::phf::Map<&'static str, u32> = {names};\n    \
         const BUNDLE: __skills::Bundle = __skills::Bundle::from_static(\n        {texts},\n        {bytes},\n        \
         {tables},\n        &NAMES,\n        \"{digest}\",\n    );\n    BUNDLE\n}}\n"
    )
}

/// The stand-in after findings: without it every use of the bundle would be an error of its own.
pub(crate) fn empty_bundle() -> String {
    "__skills::Bundle::EMPTY\n".to_owned()
}

fn names(written: &Written) -> String {
    let mut map = phf_codegen::Map::new();
    map.phf_path("__skills::__private::phf");
    for (name, index) in &written.names {
        map.entry(name.as_str(), index.to_string());
    }
    map.build().to_string()
}
