//! Confirmation of irreversible calls: one token for one call.
//!
//! A token is bound to the skill, the arguments, the user and the time, and can be used once. It goes to the
//! host, never into the text for the model: a model that could read it would confirm its own calls. The host
//! decides whom to ask and how.

use std::sync::Mutex;
use std::time::Duration;

use serde_json::Value;

use super::digest::Digest;
use super::error::{CallError, ErrorCode};
use super::pending::Pending;
use super::random;
use super::store::SharedStore;
use super::waiting::Waiting;

/// The default lifetime of a token.
const LIFETIME: Duration = Duration::from_secs(300);

/// The calls that wait.
#[derive(Debug, Clone)]
pub(super) struct Confirmations {
    pub(super) store: SharedStore,
    pub(super) lifetime: Duration,
}

impl Default for Confirmations {
    fn default() -> Self {
        Self { store: SharedStore::new(Mutex::new(Waiting::default())), lifetime: LIFETIME }
    }
}

impl Confirmations {
    /// Redeems a token: returns whether it is for exactly this call and still valid, and removes it if so.
    ///
    /// A token that is tried with another call stays, so that its owner can still use it.
    pub(super) async fn redeem(
        &self,
        token: &str,
        skill: &str,
        arguments: &Value,
        user: &str,
    ) -> Result<bool, CallError> {
        self.store.redeem(token, &digest(skill, arguments, user)).await
    }

    /// Spends the token of a call that this user declined. Returns whether the call was still waiting.
    pub(super) async fn decline(&self, token: &str, user: &str) -> Result<bool, CallError> {
        self.store.decline(token, user).await
    }

    /// The error for an unconfirmed call, which waits from now on.
    pub(super) async fn ask(&self, skill: &str, arguments: &Value, user: &str, reason: &str) -> CallError {
        let Ok(token) = random::hex::<16>() else {
            return CallError::new(
                ErrorCode::Failed,
                "no confirmation token can be made: the system has no random numbers",
                "try again later",
            );
        };
        let call = digest(skill, arguments, user);
        if let Err(failed) = self.store.wait(&token, &call, user, self.lifetime).await {
            return failed;
        }
        let what = if reason.is_empty() { "it cannot be undone" } else { reason };
        let mut error = CallError::new(
            ErrorCode::ConfirmationRequired,
            format!("`{skill}` was not run, since the user must confirm it first: {what}"),
            "tell the user what would be done, and wait; the call is made again once they have confirmed it",
        );
        error.pending = Some(Box::new(Pending {
            token,
            skill: skill.to_owned(),
            arguments: arguments.to_string(),
            reason: reason.to_owned(),
            lifetime: self.lifetime,
            call: String::new(),
        }));
        error
    }
}

/// What a token is bound to. The order of an object's keys doesn't matter.
fn digest(skill: &str, arguments: &Value, user: &str) -> [u8; 32] {
    let mut digest = Digest::default();
    digest.text(skill);
    digest.text(user);
    value(arguments, &mut digest);
    digest.finish()
}

/// The digest of a call, whoever makes it: equal calls have equal digests.
pub(super) fn same_call(skill: &str, arguments: &Value) -> [u8; 32] {
    digest(skill, arguments, "")
}

fn value(this: &Value, digest: &mut Digest) {
    match this {
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            digest.kind(b'{');
            digest.number(entries.len());
            for (key, entry) in entries {
                digest.text(key);
                value(entry, digest);
            }
        }
        Value::Array(items) => {
            digest.kind(b'[');
            digest.number(items.len());
            for item in items {
                value(item, digest);
            }
        }
        Value::String(string) => {
            digest.kind(b'"');
            digest.text(string);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            digest.kind(b'-');
            digest.text(&this.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    async fn token(open: &Confirmations, user: &str, arguments: &Value) -> String {
        let error = open.ask("delete", arguments, user, "").await;
        assert_eq!(error.code, ErrorCode::ConfirmationRequired);
        let pending = error.pending.clone().expect("it waits");
        assert!(!format!("{error:?}").contains(&pending.token) && !pending.token.is_empty());
        pending.token
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_is_valid_once_for_its_own_call_and_for_a_while() {
        let open = Confirmations::default();
        let arguments = json!({"path": "a", "deep": {"x": 1, "y": [2]}});
        let reordered = serde_json::from_str(r#"{"deep": {"y": [2], "x": 1}, "path": "a"}"#).expect("JSON");
        let first = token(&open, "ada", &arguments).await;
        for (skill, arguments, user) in [
            ("delete", json!({"path": "b", "deep": {"x": 1, "y": [2]}}), "ada"),
            ("delete", arguments.clone(), "bob"),
            ("delete-all", arguments.clone(), "ada"),
        ] {
            assert!(
                !open.redeem(&first, skill, &arguments, user).await.unwrap(),
                "{skill} {arguments} {user}"
            );
        }
        assert!(!open.redeem("", "delete", &arguments, "ada").await.unwrap());
        assert!(open.redeem(&first, "delete", &reordered, "ada").await.unwrap());
        assert!(!open.redeem(&first, "delete", &arguments, "ada").await.unwrap());

        let late = token(&open, "ada", &arguments).await;
        tokio::time::advance(LIFETIME).await;
        assert!(!open.redeem(&late, "delete", &arguments, "ada").await.unwrap());
        assert_ne!(token(&open, "ada", &arguments).await, late);
    }

    #[tokio::test(start_paused = true)]
    async fn a_user_does_not_displace_another() {
        let open = Confirmations::default();
        let first = token(&open, "ada", &json!({})).await;
        let second = token(&open, "eve", &json!({})).await;
        for number in 0..10_000 {
            token(&open, "eve", &json!(number)).await;
        }
        assert!(open.redeem(&first, "delete", &json!({}), "ada").await.unwrap());
        assert!(!open.redeem(&second, "delete", &json!({}), "eve").await.unwrap());
    }

    #[test]
    fn different_calls_have_different_digests() {
        let calls = [
            ("a", json!(["b", "c"]), "u"),
            ("a", json!(["b,c"]), "u"),
            ("a", json!([["b"], "c"]), "u"),
            ("a", json!({"b": "c"}), "u"),
            ("a", json!(1), "u"),
            ("a", json!("1"), "u"),
            ("a", json!(null), "u"),
            ("a", json!("null"), "u"),
            ("au", json!(null), ""),
            ("", json!(null), "au"),
        ];
        let mut digests: Vec<_> =
            calls.iter().map(|(skill, value, user)| digest(skill, value, user)).collect();
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), calls.len());
    }
}
