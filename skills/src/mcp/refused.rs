//! The answers to what isn't a message of the protocol, and to params that don't fit their method.
//!
//! `rmcp` ignores such lines, and calls a known method with other params unknown. Here they get the codes of
//! JSON-RPC and the reason, so that whoever writes a client sees what is wrong.

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CompleteRequestParams, CustomRequest, ErrorCode, GetPromptRequestParams,
    GetSkillRequestParams, ReadResourceDirectoryRequestParams, ReadResourceRequestParams,
    SubscriptionsListenRequestParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// How many levels of arrays and objects the parser reads, the message itself included.
const MOST_LEVELS: usize = 127;

/// Why bytes aren't a message, and what the peer is sent about it.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The reason, for people.
    pub(super) why: String,
    /// The answer, as JSON without a line feed.
    pub(super) answer: String,
}

impl Refusal {
    fn new(id: &Value, code: ErrorCode, why: String) -> Self {
        let error = json!({"code": code.0, "message": why});
        let answer = json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string();
        Self { why, answer }
    }

    /// A message of more bytes than are read.
    pub(super) fn too_long(limit: usize) -> Self {
        let why = format!("Parse error: the message is longer than {limit} bytes");
        Self::new(&Value::Null, ErrorCode::PARSE_ERROR, why)
    }

    /// What to answer to bytes that don't parse as a message; `None` for a notification that isn't known, which
    /// is ignored.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let message: Value = match serde_json::from_slice(bytes) {
            Ok(message) => message,
            Err(error) => {
                // The parser says only that it has a limit.
                let limit = if error.to_string().contains("recursion limit") {
                    format!("; a message has no more than {MOST_LEVELS} levels")
                } else {
                    String::new()
                };
                let why = format!("Parse error: {error}{limit}");
                return Some(Self::new(&Value::Null, ErrorCode::PARSE_ERROR, why));
            }
        };
        let id = message.get("id").filter(|id| id.is_string() || id.is_i64() || id.is_u64());
        let method = message.get("method").and_then(Value::as_str);
        if message.get("id").is_none() && method.is_some() && message["jsonrpc"] == "2.0" {
            return None;
        }
        let id = id.unwrap_or(&Value::Null);
        let has_other_params = message.get("params").is_some_and(|params| !params.is_object());
        Some(match method {
            Some(method) if has_other_params && message["jsonrpc"] == "2.0" && !id.is_null() => {
                let why = format!("the params of {method} must be an object");
                Self::new(id, ErrorCode::INVALID_PARAMS, why)
            }
            _ => {
                let why = "Invalid Request: expected a JSON-RPC 2.0 message with an id and a method";
                Self::new(id, ErrorCode::INVALID_REQUEST, why.to_owned())
            }
        })
    }
}

/// The error for a request that `rmcp` doesn't know: of an unknown method, or of a known one with other params.
pub(super) fn custom(request: &CustomRequest) -> ErrorData {
    let why = match request.method.as_str() {
        "tools/call" => misfit::<CallToolRequestParams>(request, r#"{"name": string, "arguments": object}"#),
        "prompts/get" => {
            misfit::<GetPromptRequestParams>(request, r#"{"name": string, "arguments": object}"#)
        }
        "resources/read" => misfit::<ReadResourceRequestParams>(request, r#"{"uri": string}"#),
        "resources/directory/read" => {
            misfit::<ReadResourceDirectoryRequestParams>(request, r#"{"uri": string}"#)
        }
        "skills/get" => misfit::<GetSkillRequestParams>(request, r#"{"uri": string}"#),
        "completion/complete" => misfit::<CompleteRequestParams>(
            request,
            r#"{"ref": object, "argument": {"name": string, "value": string}}"#,
        ),
        "subscriptions/listen" => {
            misfit::<SubscriptionsListenRequestParams>(request, r#"{"notifications": object}"#)
        }
        method => return ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method.to_owned(), None),
    };
    ErrorData::invalid_params(format!("the params of {} don't fit: {why}", request.method), None)
}

fn misfit<T: DeserializeOwned>(request: &CustomRequest, expected: &str) -> String {
    match request.params_as::<T>() {
        Ok(_) => format!("expected {expected}"),
        Err(error) => format!("expected {expected}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(bytes: &[u8]) -> Value {
        let refusal = Refusal::of(bytes).expect("it is refused");
        assert!(!refusal.answer.contains('\n'));
        serde_json::from_str(&refusal.answer).expect("it is JSON")
    }

    #[test]
    fn what_is_not_json_has_no_id() {
        let deep = "[".repeat(200);
        for bytes in [&b"{"[..], b"not json", b"\xff\xfe", b"{} {}", deep.as_bytes()] {
            let answer = answer(bytes);
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &Value::Null), "{answer}");
            assert!(answer.as_object().is_some_and(|fields| fields.contains_key("id")));
        }
    }

    #[test]
    fn json_that_is_no_message_keeps_its_id() {
        for (bytes, code, id) in [
            ("[]", -32600, json!(null)),
            ("7", -32600, json!(null)),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, json!(1)),
            (r#"{"jsonrpc":"2.0","id":"a"}"#, -32600, json!("a")),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":[]}"#, -32602, json!(2)),
        ] {
            let answer = answer(bytes.as_bytes());
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{bytes}");
        }
        assert!(Refusal::of(br#"{"jsonrpc":"2.0","method":"notifications/none","params":[]}"#).is_none());
    }
}
