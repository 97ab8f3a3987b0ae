//! A session as JSON, to be stored with the conversation.
//!
//! Unknown fields, from another version, are ignored; missing fields are empty. A policy isn't part of the
//! data, so nothing written there makes a blocked skill visible. No number is above 2^53, since some stores
//! round larger ones: a fingerprint is a string.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

use super::Session;
use super::memory::{LoadedName, Memory};
use crate::data_error::DataError;
use crate::policy::look_up_form;

/// The largest whole number that every JSON reader keeps exact.
const MAX_NUMBER: u64 = 1 << 53;

/// The most names of active skills that are read, since each prompt looks at all of them. How many of them are
/// active depends on the registry.
const MAX_ACTIVE: usize = 1000;

fn error(message: impl Into<String>) -> DataError {
    DataError::new("a stored session", message.into() + "; start a new one")
}

impl Session {
    /// The session as a JSON object.
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
    pub fn from_json(json: &str) -> Result<Self, DataError> {
        let value = serde_json::from_str(json).map_err(|found| error(found.to_string()))?;
        from_value(&value)
    }
}

impl Serialize for Session {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = |number: usize| u64::try_from(number).unwrap_or(MAX_NUMBER).min(MAX_NUMBER);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", &2)?;
        map.serialize_entry("loaded", &self.memory.loaded)?;
        map.serialize_entry("dropped", &self.memory.dropped)?;
        map.serialize_entry("hidden", &*self.hidden)?;
        map.serialize_entry("shown", &self.shown)?;
        map.serialize_entry("active", &self.active)?;
        map.serialize_entry("inactive", &self.inactive)?;
        map.serialize_entry("memory", &number(self.memory.most()))?;
        map.serialize_entry("most_active", &number(self.most_active))?;
        map.end()
    }
}

impl Serialize for LoadedName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("fingerprint", &self.fingerprint.map(|number| format!("{number:016x}")))?;
        map.serialize_entry("visible", &self.visible)?;
        map.serialize_entry("told", &self.told)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Session {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_value(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

fn from_value(value: &Value) -> Result<Session, DataError> {
    let Value::Object(fields) = value else { return Err(error("expected an object")) };
    let list = |key: &str| match fields.get(key) {
        None | Some(Value::Null) => Ok([].as_slice()),
        Some(Value::Array(items)) => Ok(items.as_slice()),
        Some(_) => Err(error(format!("`{key}` must be a list"))),
    };
    let names = |key: &str| -> Result<Vec<String>, DataError> {
        let mut names: Vec<String> = Vec::new();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for item in list(key)? {
            let name = item.as_str().ok_or_else(|| error(format!("`{key}` must hold names only")))?;
            let name = look_up_form(name);
            if seen.insert(name.clone()) {
                names.push(name);
            }
        }
        Ok(names)
    };
    let number = |key: &str, default: usize| match fields.get(key) {
        None | Some(Value::Null) => Ok(default),
        Some(number) => match whole(number).map(usize::try_from) {
            Some(Ok(number)) => Ok(number),
            _ => Err(error(format!("`{key}` must be a number of skills"))),
        },
    };
    let most = number("memory", Session::MEMORY)?;
    let most_active = number("most_active", Session::MOST_ACTIVE)?;
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut memory = Memory::new(most);
    memory.loaded = read_loaded(list("loaded")?, "loaded", &mut seen)?;
    memory.dropped = read_loaded(list("dropped")?, "dropped", &mut seen)?;
    memory.limit_dropped();
    memory.set_most(most);
    Ok(Session {
        memory,
        hidden: Arc::new(names("hidden")?.into_iter().collect()),
        shown: names("shown")?.into_iter().collect(),
        active: names("active")?.into_iter().take(MAX_ACTIVE).collect(),
        inactive: names("inactive")?.into_iter().collect(),
        most_active,
    })
}

/// Newest last. Of equal names, the newest counts.
fn read_loaded(
    items: &[Value],
    key: &str,
    seen: &mut BTreeSet<String>,
) -> Result<Vec<LoadedName>, DataError> {
    let mut loaded: Vec<LoadedName> = Vec::new();
    for item in items.iter().rev() {
        let name = item.as_str().or_else(|| item.get("name")?.as_str()).map(look_up_form);
        let Some(name) = name else { return Err(error(format!("`{key}` has an item without a name"))) };
        if seen.insert(name.clone()) {
            let flag = |key: &str| item.get(key).and_then(Value::as_bool).unwrap_or_default();
            let visible = flag("visible");
            let fingerprint = match item.get("fingerprint") {
                Some(Value::String(digits)) => u64::from_str_radix(digits, 16).ok(),
                Some(number) => number.as_u64(),
                None => None,
            };
            let told = flag("told") && visible;
            // Only the host's word makes instructions without a fingerprint visible.
            let visible = visible && (fingerprint.is_some() || told);
            loaded.push(LoadedName { name, fingerprint, visible, told });
        }
    }
    loaded.reverse();
    Ok(loaded)
}

/// A whole number. Some stores write 20 as 20.0.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the number is whole and in the range in which floats are exact"
)]
fn whole(value: &Value) -> Option<u64> {
    let as_float = || value.as_f64().filter(|number| (0.0..=MAX_NUMBER as f64).contains(number));
    value.as_u64().or_else(|| as_float().filter(|number| number % 1.0 == 0.0).map(|number| number as u64))
}
