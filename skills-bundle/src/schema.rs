//! A JSON Schema of the frontmatter of a SKILL.md, for editors and for programs that write skills.
//!
//! It is made from the table of fields, so it knows what a check knows of them. What a schema can't say, such as which
//! misspelt field was meant, is left to the check: whatever has no error there is valid here.

use serde_json::{Map, Value, json};
use skills_source::frontmatter::{About, COMPATIBILITY, DESCRIPTION, Field, Form, NAME, WHEN_TO_USE};
use skills_source::rules::{MAX_COMPATIBILITY, MAX_DESCRIPTION, MAX_NAME, Profile};

/// The words of a flag, in any case.
const FLAG: &str =
    r"^\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff]|[01]?)\s*$";

/// The schema, of draft 2020-12, with the fields that readers of a profile know. Other fields are allowed, since a check
/// only warns of them. Lengths are those of the value as it is written, in characters.
pub fn frontmatter(profile: Profile) -> Value {
    let mut properties = Map::new();
    for about in About::all(profile) {
        let names = about.names().into_iter().filter(|name| !name.contains('.'));
        // Other profiles know no second name.
        let names = names.filter(|name| *name == about.name || profile == Profile::Default);
        for name in names {
            properties.insert(name.to_owned(), property(about, name, profile));
        }
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Frontmatter of a SKILL.md",
        "type": "object",
        "properties": properties,
        "allOf": [has(&[NAME]), has(&[DESCRIPTION, WHEN_TO_USE])],
    })
}

fn property(about: &About, name: &str, profile: Profile) -> Value {
    let mut schema = form(about);
    let is = |field: &Field| about.name == field.name();
    if is(&NAME) {
        schema["maxLength"] = MAX_NAME.into();
        if !profile.unicode_names() {
            schema["pattern"] = r"^\s*([a-z0-9]+(-[a-z0-9]+)*)?\s*$".into();
        }
    } else if is(&DESCRIPTION) || is(&WHEN_TO_USE) {
        schema["maxLength"] = MAX_DESCRIPTION.into();
    } else if is(&COMPATIBILITY) {
        schema["maxLength"] = MAX_COMPATIBILITY.into();
    }
    schema["description"] = if name == about.name {
        about.text.into()
    } else {
        format!("Another name of `{}`. {}", about.name, about.text).into()
    };
    if !about.values.is_empty() {
        schema["examples"] = about.values.into();
    }
    schema
}

/// What a value looks like. A field without a value is as good as none.
fn form(about: &About) -> Value {
    let scalars = json!(["string", "number", "boolean", "null"]);
    match about.form {
        // A hint in brackets is a list to YAML, and *when to use* may be one.
        Form::Text if about.name == WHEN_TO_USE.name() || about.name.starts_with("argument") => {
            json!({ "type": ["string", "number", "boolean", "null", "array"] })
        }
        Form::Text => json!({ "type": scalars }),
        Form::List | Form::Phrases | Form::Tools => {
            json!({ "type": ["string", "number", "boolean", "null", "array"], "items": { "type": scalars } })
        }
        Form::Flag => json!({
            "type": ["boolean", "string", "integer", "null"],
            "pattern": FLAG,
            "minimum": 0,
            "maximum": 1,
        }),
        // A mapping.
        _ => json!({ "type": ["object", "null"] }),
    }
}

/// That one of these fields has a value, under any of its names.
fn has(fields: &[Field]) -> Value {
    let value = json!({ "type": ["string", "number", "boolean", "array"], "pattern": r"\S" });
    let names = fields.iter().flat_map(|field| field.names);
    let each: Vec<Value> =
        names.map(|name| json!({ "required": [name], "properties": { (*name): value } })).collect();
    json!({ "anyOf": each })
}
