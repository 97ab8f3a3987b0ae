//! From a tool call in JSON to the text for the model.

use bench_harness::clock::{Group, NS};
use serde_json::Value;

use super::{row, titles};
use crate::material::{Material, Questions};

/// What a program writes that knows one form of the call alone.
pub const BY_HAND: &str = "`serde_json` to a `Value`, `HashMap`, copy";
/// The tool.
pub const OURS: &str = "`Registry::call`";

/// Tool calls that load a skill.
pub fn group<'a>(columns: &'a [Questions<'a>]) -> Group<'a> {
    Group {
        title: "A tool call in JSON: load",
        about: "By hand means: parse, take two fields, get the finished text from a map, copy it.",
        unit: NS,
        columns: titles(columns),
        rows: vec![
            row(BY_HAND, columns, |of| &of.calls, |of, call| by_hand(of, call)),
            row(
                "`serde_json` to a `Value`",
                columns,
                |of| &of.calls,
                |_, call| serde_json::from_str::<Value>(call),
            ),
            row(OURS, columns, |of| &of.calls, |of, call| of.registry.call(call)),
            row(
                "`Registry::call`, wrapped",
                columns,
                |of| &of.wrapped_calls,
                |of, call| of.registry.call(call),
            ),
        ],
    }
}

/// Answers a bare call of `load`.
pub fn by_hand(material: &Material, call: &str) -> Option<String> {
    let call: Value = serde_json::from_str(call).ok()?;
    if call.get("action")?.as_str()? != "load" {
        return None;
    }
    material.loads.get(call.get("skill_name")?.as_str()?).cloned()
}
