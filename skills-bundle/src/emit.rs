//! Turns compiled skills into Rust.
//!
//! The Rust is a few lines and one perfect hash: everything of size stands in blocks beside it.
//! Generated code names nothing outside `core` and the crate path that it is given.

use skills_core::pack::writer::Written;

use crate::compile::Generated;

/// The names of the blocks' files.
pub(crate) const TEXT_FILE: &str = "skills.text";
/// See [`TEXT_FILE`].
pub(crate) const BYTES_FILE: &str = "skills.bytes";
/// See [`TEXT_FILE`].
pub(crate) const TABLES_FILE: &str = "skills.tables";

/// An expression of type `Bundle` that reads the blocks from `OUT_DIR`.
///
/// The content's digest stands in the text, so that a cache which looks at source text alone cannot
/// serve an old build. `krate` is the path of the crate `skills` where the code will stand.
pub fn bundle_from_files(generated: &Generated, krate: &str) -> String {
    let file = |macro_name: &str, name: &str| {
        format!("::core::{macro_name}!(::core::concat!(::core::env!(\"OUT_DIR\"), \"/{name}\"))")
    };
    bundle(
        generated,
        krate,
        &file("include_str", TEXT_FILE),
        &file("include_bytes", BYTES_FILE),
        &file("include_bytes", TABLES_FILE),
    )
}

/// The same with the blocks as these expressions.
pub(crate) fn bundle(generated: &Generated, krate: &str, text: &str, bytes: &str, tables: &str) -> String {
    let names = names(&generated.written, krate);
    let digest = &generated.digest;
    format!(
        "{{\n    static NAMES: {krate}::__private::phf::Map<&'static str, u32> = {names};\n    \
         {krate}::Bundle::from_static(\n        {text},\n        {bytes},\n        {tables},\n        &NAMES,\n        \
         \"{digest}\",\n    )\n}}\n"
    )
}

/// The stand-in after findings: without it every use of the bundle would be an error of its own.
pub(crate) fn empty_bundle(krate: &str) -> String {
    format!("{krate}::Bundle::EMPTY")
}

fn names(written: &Written, krate: &str) -> String {
    let mut map = phf_codegen::Map::new();
    map.phf_path(format!("{krate}::__private::phf"));
    for (name, index) in &written.names {
        map.entry(name.as_str(), index.to_string());
    }
    map.build().to_string()
}

/// A constant for each skill's name: `pub const PDF_FORMS: &str = "pdf-forms";`
pub(crate) fn name_constants<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names
        .into_iter()
        .map(|name| {
            let mut constant = name.replace('-', "_").to_uppercase();
            if constant.starts_with(|c: char| !c.is_alphabetic()) {
                constant.insert(0, '_');
            }
            format!("/// The name of the skill `{name}`.\npub const {constant}: &str = {name:?};\n")
        })
        .collect()
}
