//! The error for a name that nothing can be called by: it has the names that can be.

use skills_pack::nearest;

use super::bound::Handlers;
use super::context::Context;
use super::error::{CallError, ErrorCode};
use super::results::shown;

impl Handlers {
    /// The error for a name that nothing can be called by.
    pub(super) fn unknown(&self, skill: &str, context: &Context) -> CallError {
        self.unknown_among(skill, context, |_| true)
    }

    /// The same, where only some skills are `shown`.
    pub(super) fn unknown_among(
        &self,
        skill: &str,
        context: &Context,
        shown_there: impl Fn(&str) -> bool,
    ) -> CallError {
        let known = self.may_call(context).map(|bound| bound.binding.skill());
        let known: Vec<&str> = known.filter(|name| shown_there(name)).collect();
        let near = nearest::closest(skill.trim(), known.iter().copied().filter(|known| *known != skill));
        let near = near.first().map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        let has_handler = self.bound(skill).is_some();
        let message = if self.shared.known.contains_key(skill.trim()) && !has_handler {
            format!("the skill `{}` has no handler: it is there to be loaded, not to be called", shown(skill))
        } else {
            format!("no skill `{}` can be called", shown(skill))
        };
        CallError::new(ErrorCode::UnknownSkill, message, format!("{near}{}", names(&known)))
    }
}

/// How many names an error gives.
const NAMES_SHOWN: usize = 50;

fn names(known: &[&str]) -> String {
    if known.is_empty() {
        return "there are no skills that can be called".to_owned();
    }
    let shown: Vec<String> = known.iter().take(NAMES_SHOWN).map(|name| format!("`{name}`")).collect();
    let more = known.len().saturating_sub(NAMES_SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("the skills are {}{more}", shown.join(", "))
}
