//! A policy and defaults as data, so that a host can read them from its configuration.
//!
//! ```json
//! {"default": "block", "allowed": ["pdf"], "blocked": []}
//! {"active": ["house-style"], "hidden": ["deploy"]}
//! ```
//!
//! Any field may be missing; an unknown one is an error, since a misspelt `blocked` would block nothing.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value};

use super::data_error::DataError;
use super::defaults::Defaults;
use super::policy::{Policy, look_up_form};

impl Serialize for Policy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("default", if self.allows_others { "allow" } else { "block" })?;
        map.serialize_entry("allowed", &self.allowed)?;
        map.serialize_entry("blocked", &self.blocked)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |value: &Value| -> Result<Self, DataError> {
            let fields = Fields::of("a policy", value, &["default", "allowed", "blocked"])?;
            let allows_others = match fields.map.get("default") {
                None => true,
                Some(Value::String(text)) if text == "allow" => true,
                Some(Value::String(text)) if text == "block" => false,
                Some(_) => return Err(fields.error("`default` must be `allow` or `block`")),
            };
            Ok(Self { allows_others, allowed: fields.names("allowed")?, blocked: fields.names("blocked")? })
        };
        read(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Serialize for Defaults {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("active", &self.active)?;
        map.serialize_entry("hidden", &self.hidden)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Defaults {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |value: &Value| -> Result<Self, DataError> {
            let fields = Fields::of("the defaults of a session", value, &["active", "hidden"])?;
            Ok(Self { active: fields.names("active")?, hidden: fields.names("hidden")? })
        };
        read(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The fields of an object that has no others than the known ones.
struct Fields<'v> {
    what: &'static str,
    map: &'v Map<String, Value>,
}

impl<'v> Fields<'v> {
    fn of(what: &'static str, value: &'v Value, known: &[&str]) -> Result<Self, DataError> {
        let Value::Object(map) = value else { return Err(DataError::new(what, "expected an object")) };
        match map.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(DataError::new(what, format!("`{key}` isn't one of its fields"))),
            None => Ok(Self { what, map }),
        }
    }

    fn names(&self, key: &str) -> Result<BTreeSet<String>, DataError> {
        let items = match self.map.get(key) {
            None => return Ok(BTreeSet::new()),
            Some(Value::Array(items)) => items,
            Some(_) => return Err(self.error(format!("`{key}` must be a list of names"))),
        };
        let names = items.iter().map(|item| match item {
            Value::String(name) => Ok(look_up_form(name)),
            _ => Err(self.error(format!("`{key}` must be a list of names"))),
        });
        names.collect()
    }

    fn error(&self, message: impl Into<String>) -> DataError {
        DataError::new(self.what, message)
    }
}
