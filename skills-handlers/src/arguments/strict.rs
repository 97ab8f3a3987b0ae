//! Parses JSON and refuses objects with duplicate keys.
//!
//! Most parsers silently take the last of two equal keys, so a confirmed or logged call could differ from the call
//! that a handler runs.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::shown::{MOST_NAME, shortened, shown};

/// Why JSON was refused.
#[derive(Debug)]
pub(super) enum Refused {
    /// Two keys of one object are equal.
    Twice {
        /// The place of the second one.
        path: String,
    },
    NotJson(serde_json::Error),
}

/// Parses one JSON value.
pub(super) fn parse(json: &str) -> Result<Value, Refused> {
    let mut twice = None;
    let mut reader = serde_json::Deserializer::from_str(json);
    let read = Strict { twice: &mut twice }.deserialize(&mut reader);
    let read = read.and_then(|value| reader.end().map(|()| value));
    match (read, twice) {
        (Ok(value), _) => Ok(value),
        (Err(_), Some(path)) => Err(Refused::Twice { path: shortened(path, MOST_NAME) }),
        (Err(error), None) => Err(Refused::NotJson(error)),
    }
}

struct Strict<'t> {
    /// The path to the second of two equal keys, written from its end on the way out.
    twice: &'t mut Option<String>,
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            match items.next_element_seed(Strict { twice: &mut *self.twice }) {
                Ok(Some(item)) => list.push(item),
                Ok(None) => return Ok(Value::Array(list)),
                Err(error) => {
                    below(self.twice, &format!("[{}]", list.len()));
                    return Err(error);
                }
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            // If another crate enables serde_json's `arbitrary_precision`, a number looks like this.
            if key == "$serde_json::private::Number" && object.is_empty() {
                let written = entries.next_value::<String>()?;
                return serde_json::from_str(&written).map(Value::Number).map_err(A::Error::custom);
            }
            if object.contains_key(&key) {
                *self.twice = Some(shown(&key));
                return Err(A::Error::custom("a key is there twice"));
            }
            match entries.next_value_seed(Strict { twice: &mut *self.twice }) {
                Ok(value) => object.insert(key, value),
                Err(error) => {
                    below(self.twice, &shown(&key));
                    return Err(error);
                }
            };
        }
        Ok(Value::Object(object))
    }
}

/// Puts a step before the path, if there is one.
fn below(path: &mut Option<String>, step: &str) {
    if let Some(path) = path {
        let dot = if path.starts_with('[') { "" } else { "." };
        *path = format!("{step}{dot}{path}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_there_once() {
        for (json, path) in [
            (r#"{"a": 1, "a": 2}"#, "a"),
            (r#"{"a": {"b": 1, "c": 2, "b": 1}}"#, "a.b"),
            (r#"{"a": [0, [{"b": 1}, {"b": 1, "b": 1}]]}"#, "a[1][1].b"),
            (r#"{"a": 1, "\u0061": 2}"#, "a"),
        ] {
            assert!(matches!(parse(json), Err(Refused::Twice { path: found }) if found == path), "{json}");
        }
    }

    #[test]
    fn a_long_path_is_cut() {
        let long = format!("\"{}\"", "k".repeat(400_000));
        for json in [
            format!("{{{long}: 1, {long}: 2}}"),
            (0..100).fold(format!("{{{long}: 1, {long}: 2}}"), |inner, _| {
                format!("{{\"{}\": {inner}}}", "k".repeat(100))
            }),
        ] {
            let refused = parse(&json);
            let Err(Refused::Twice { path }) = refused else { panic!("{refused:?}") };
            assert!(
                path.chars().count() <= MOST_NAME + 1 && path.starts_with("kkk") && path.ends_with('…'),
                "{path}"
            );
        }
    }

    /// What stands for a number inside of `serde_json` is a number and nothing else.
    #[test]
    fn no_value_is_brought_in_as_a_number() {
        let wrapped = |json: &str| format!(r#"{{"a": {{"$serde_json::private::Number": "{json}"}}}}"#);
        assert!(parse(&wrapped(r#"{\"b\": 1, \"b\": 2}"#)).is_err());
        assert!(parse(&wrapped("[]")).is_err());
    }

    #[test]
    fn all_other_json_is_read_as_it_is() {
        for json in [
            "null",
            "true",
            "-1",
            "18446744073709551615",
            "1.5e300",
            "\"\\u00e9\\n\"",
            "[]",
            "{}",
            r#"{"a": {"b": [1, "x", null, {"a": false}]}, "b": 1, "A": 2}"#,
        ] {
            assert_eq!(parse(json).ok(), serde_json::from_str(json).ok(), "{json}");
        }
        for json in ["", "{", "[1,]", "1 2", "{\"a\"}", "nul"] {
            assert!(matches!(parse(json), Err(Refused::NotJson(_))), "{json}");
        }
    }
}
