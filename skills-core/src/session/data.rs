//! A session as JSON, to be stored with the conversation.
//!
//! Unknown fields, from another version, are ignored; missing fields are empty. A policy isn't part of the
//! data, so nothing written there makes a blocked skill visible.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

use super::{LoadedName, Session};
use crate::policy::look_up_form;

/// The data isn't a stored session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionDataError {
    message: String,
}

impl SessionDataError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for SessionDataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this isn't a stored session: {}; start a new one", self.message)
    }
}

impl core::error::Error for SessionDataError {}

impl Session {
    /// The session as a JSON object with the fields `loaded`, `hidden` and `active`.
    pub fn to_json(&self) -> String {
        // Texts and numbers always have a form in JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads the output of [`to_json`](Self::to_json), of any version. If there are more loaded names than a
    /// session remembers, the oldest are dropped.
    ///
    /// # Errors
    ///
    /// If `json` isn't such an object; the message says why.
    pub fn from_json(json: &str) -> Result<Self, SessionDataError> {
        let value = serde_json::from_str(json).map_err(|error| SessionDataError::new(error.to_string()))?;
        from_value(&value)
    }
}

impl Serialize for Session {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", &1)?;
        map.serialize_entry("loaded", &self.loaded)?;
        map.serialize_entry("hidden", &*self.hidden)?;
        map.serialize_entry("active", &self.active)?;
        map.serialize_entry("memory", &self.memory)?;
        map.end()
    }
}

impl Serialize for LoadedName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("fingerprint", &self.fingerprint)?;
        map.serialize_entry("visible", &self.visible)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Session {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_value(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

fn from_value(value: &Value) -> Result<Session, SessionDataError> {
    let Value::Object(fields) = value else {
        return Err(SessionDataError::new("expected an object"));
    };
    let list = |key: &str| match fields.get(key) {
        None | Some(Value::Null) => Ok([].as_slice()),
        Some(Value::Array(items)) => Ok(items.as_slice()),
        Some(_) => Err(SessionDataError::new(alloc::format!("`{key}` must be a list"))),
    };
    let names = |key: &str| -> Result<Vec<String>, SessionDataError> {
        let mut names: Vec<String> = Vec::new();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for item in list(key)? {
            let name = item
                .as_str()
                .ok_or_else(|| SessionDataError::new(alloc::format!("`{key}` must hold names only")))?;
            let name = look_up_form(name);
            if seen.insert(name.clone()) {
                names.push(name);
            }
        }
        Ok(names)
    };
    let memory = match fields.get("memory") {
        None | Some(Value::Null) => Session::MEMORY,
        Some(memory) => match memory.as_u64().map(usize::try_from) {
            Some(Ok(memory)) => memory,
            _ => return Err(SessionDataError::new("`memory` must be a number of skills")),
        },
    };
    let mut loaded: Vec<LoadedName> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    // Newest last. Of equal names, the newest counts.
    for item in list("loaded")?.iter().rev() {
        let name = item.as_str().or_else(|| item.get("name")?.as_str()).map(look_up_form);
        let Some(name) = name else {
            return Err(SessionDataError::new("`loaded` has an item without a name"));
        };
        if seen.insert(name.clone()) {
            loaded.push(LoadedName {
                name,
                fingerprint: item.get("fingerprint").and_then(Value::as_u64).unwrap_or_default(),
                visible: item.get("visible").and_then(Value::as_bool).unwrap_or_default(),
            });
        }
    }
    loaded.reverse();
    let (hidden, active) = (names("hidden")?, names("active")?);
    let session = Session { loaded, hidden: Arc::new(hidden.into_iter().collect()), active, memory };
    Ok(session.with_memory(memory))
}
