//! A call that waits for the user's confirmation, as the host sees it.

use std::fmt;
use std::time::Duration;

use skills_pack::hidden::Shown;

/// A call that waits to be confirmed. The host shows it to the user and, after they confirm, makes the same
/// call again with [`Handlers::call_confirmed`](super::Handlers::call_confirmed).
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// The token for making the same call again. Not for the model.
    pub token: String,
    /// The skill.
    pub skill: String,
    /// The arguments, as the handler would receive them.
    pub arguments: String,
    /// What the handler would do, as its binding says. May be empty.
    pub reason: String,
    /// How long the token is valid.
    pub lifetime: Duration,
    /// In the loop, the id of the model's call that waits; empty elsewhere.
    pub call: String,
}

/// The longest text of arguments that a user is asked about, in characters.
const MOST_ARGUMENTS: usize = 1_000;

/// The question for the user: the skill, the arguments, and what the handler would do. Characters that can't be
/// seen or that change the order of others are escaped, so that the model can't disguise what is confirmed.
impl fmt::Display for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = if self.reason.is_empty() { "it cannot be undone" } else { &self.reason };
        match self.arguments.char_indices().nth(MOST_ARGUMENTS) {
            None => write!(f, "{} {}: {reason}", self.skill, Shown(&self.arguments)),
            Some((at, _)) => {
                let (begin, rest) = self.arguments.split_at(at);
                let left = rest.chars().count();
                write!(f, "{} {}… ({left} more characters): {reason}", self.skill, Shown(begin))
            }
        }
    }
}

impl fmt::Debug for Pending {
    /// Leaves out the token, which confirms the call.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending")
            .field("skill", &self.skill)
            .field("arguments", &self.arguments)
            .field("reason", &self.reason)
            .field("lifetime", &self.lifetime)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(arguments: &str, reason: &str) -> String {
        let pending = Pending {
            token: "secret".to_owned(),
            skill: "file-delete".to_owned(),
            arguments: arguments.to_owned(),
            reason: reason.to_owned(),
            lifetime: Duration::ZERO,
            call: String::new(),
        };
        assert!(!format!("{pending:?}").contains("secret"));
        pending.to_string()
    }

    #[test]
    fn the_user_sees_what_is_confirmed() {
        assert_eq!(asked(r#"{"path":"é"}"#, "for good"), r#"file-delete {"path":"é"}: for good"#);
        assert_eq!(asked("{}", ""), "file-delete {}: it cannot be undone");
        let disguised = asked("{\"path\":\"a\u{202e}txt.exe\u{200b}\"}", "");
        assert!(!disguised.contains(['\u{202e}', '\u{200b}']), "{disguised}");
        assert!(disguised.contains("202e") && disguised.contains("200b"), "{disguised}");
        let long = asked(&"x".repeat(5_000), "");
        assert!(long.ends_with("… (4000 more characters): it cannot be undone") && long.len() < 1_100);
    }
}
