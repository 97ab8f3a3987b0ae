//! The data of every answer as JSON. Names are stable, and nothing is shortened.

use alloc::string::ToString as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::value::RawValue;

use super::command::{CommandEntry, LoadedCommand};
use super::entry::Entry;
use super::error::ActionError;
use super::facts::FileFacts;
use super::list::Listing;
use super::load::Loaded;
use super::read_file::FileContent;
use super::search::{Hit, Matches, Part, Suggestions};
use super::tool::Reply;
use skills_pack::text::Hex;
use skills_pack::{FieldValue, SkillFile};

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.skill.name())?;
        map.serialize_entry("description", self.skill.description())?;
        map.serialize_entry("version", &self.skill.version())?;
        map.serialize_entry("tags", &Each(self.skill.tags()))?;
        map.serialize_entry("origin", self.origin)?;
        map.serialize_entry("sealed", &self.sealed)?;
        map.serialize_entry("path", self.skill.path())?;
        map.end()
    }
}

impl Serialize for Listing<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("skills", &self.skills)?;
        map.serialize_entry("commands", &self.commands)?;
        if self.skills.len() < self.total {
            map.serialize_entry("total", &self.total)?;
            map.serialize_entry("next_offset", &self.next_offset)?;
        }
        map.end()
    }
}

impl Serialize for CommandEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.command.name())?;
        map.serialize_entry("argument_hint", &self.command.argument_hint())?;
        map.serialize_entry("description", self.command.description())?;
        map.serialize_entry("scope", self.scope())?;
        map.end()
    }
}

impl Serialize for LoadedCommand<'_> {
    /// `{"command_name", "argument_hint", "description", "type", "scope", "definition", "frontmatter", "text"}`
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let CommandEntry { command, .. } = self.entry;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("command_name", command.name())?;
        map.serialize_entry("argument_hint", &command.argument_hint())?;
        map.serialize_entry("description", command.description())?;
        map.serialize_entry("type", "text")?;
        map.serialize_entry("scope", self.entry.scope())?;
        map.serialize_entry("definition", command.template())?;
        map.serialize_entry("frontmatter", &Fields(|| command.fields()))?;
        map.serialize_entry("text", &self.text())?;
        map.end()
    }
}

impl Serialize for Hit<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.entry.skill.name())?;
        map.serialize_entry("score", &self.score)?;
        map.serialize_entry("description", self.entry.skill.description())?;
        if !self.parts.is_empty() {
            map.serialize_entry("confidence", &self.confidence)?;
            map.serialize_entry("parts", &self.parts)?;
        }
        map.end()
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("what", &self.what)?;
        map.serialize_entry("score", &self.score)?;
        map.end()
    }
}

impl Serialize for Suggestions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("results", &self.results)?;
        map.end()
    }
}

impl Serialize for Matches<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("query", &self.query)?;
        map.serialize_entry("ranking", self.ranking)?;
        map.serialize_entry("results", &self.results)?;
        map.end()
    }
}

impl Serialize for Loaded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let skill = self.entry.skill;
        map.serialize_entry("skill_name", skill.name())?;
        map.serialize_entry("path", skill.path())?;
        map.serialize_entry("instructions", if self.already_loaded { "" } else { &self.instructions })?;
        map.serialize_entry("frontmatter", &Fields(|| skill.frontmatter()))?;
        map.serialize_entry("files", &Each(skill.files().map(|file| FileOf(self.entry, file))))?;
        map.serialize_entry("already_loaded", &self.already_loaded)?;
        map.serialize_entry("text", &self.text())?;
        map.end()
    }
}

/// A file of a skill. For a file on disk, the size, the digest and the media type are read now. If it can't
/// be read, it has no digest.
struct FileOf<'a>(Entry<'a>, SkillFile<'a>);

impl Serialize for FileOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(entry, file) = self;
        let FileFacts { size, sha256, media_type } = FileFacts::of(entry, file);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("path", file.path())?;
        map.serialize_entry("size", &size)?;
        map.serialize_entry("sha256", &sha256.as_ref().map(|digest| Hex(digest).to_string()))?;
        map.serialize_entry("media_type", media_type)?;
        map.serialize_entry("executable", &file.is_executable())?;
        map.end()
    }
}

impl Serialize for FileContent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("skill_name", self.entry.skill.name())?;
        map.serialize_entry("file_path", self.file.path())?;
        map.serialize_entry("media_type", self.media_type)?;
        map.serialize_entry("size", &self.bytes().len())?;
        match &self.text {
            Some(text) => map.serialize_entry("content", text)?,
            None => map.serialize_entry("content_base64", &STANDARD.encode(self.bytes()))?,
        }
        if self.bad_bytes > 0 {
            map.serialize_entry("content_base64", &STANDARD.encode(self.bytes()))?;
        }
        map.serialize_entry("total_chars", &self.text.as_ref().map(|_| self.total_chars))?;
        map.serialize_entry("next_offset", &self.next_offset)?;
        map.end()
    }
}

impl Serialize for ActionError {
    /// `{"code", "message", "suggestion"}`
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", self.code())?;
        map.serialize_entry("message", &alloc::format!("{self}"))?;
        map.serialize_entry("suggestion", &self.suggestion())?;
        map.end()
    }
}

impl Serialize for Reply<'_> {
    /// `{"text", "data", "error": null or {"code", "suggestion"}}`
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct ErrorOf<'e>(&'e ActionError);
        impl Serialize for ErrorOf<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("code", self.0.code())?;
                map.serialize_entry("suggestion", &self.0.suggestion())?;
                map.end()
            }
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("text", &self.text)?;
        map.serialize_entry("data", &self.outcome.as_ref().ok())?;
        map.serialize_entry("error", &self.outcome.as_ref().err().map(ErrorOf))?;
        map.end()
    }
}

/// The items of an iterator, as an array.
struct Each<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Each<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        for item in self.0.clone() {
            seq.serialize_element(&item)?;
        }
        seq.end()
    }
}

/// A whole frontmatter as an object, in the author's order.
struct Fields<F>(F);

impl<'a, I: Iterator<Item = (&'a str, FieldValue<'a>)>, F: Fn() -> I> Serialize for Fields<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in (self.0)() {
            match value {
                FieldValue::Text(text) => map.serialize_entry(key, text)?,
                FieldValue::List(items) => map.serialize_entry(key, &Each(items))?,
                FieldValue::Json(json) => match serde_json::from_str::<&RawValue>(json) {
                    Ok(raw) => map.serialize_entry(key, raw)?,
                    Err(_) => map.serialize_entry(key, json)?,
                },
            }
        }
        map.end()
    }
}
