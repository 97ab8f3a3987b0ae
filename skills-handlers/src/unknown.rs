//! The error for a name that can't be called; it lists those that can.

use skills_pack::nearest;
use skills_pack::text::{AndMore, Joined, Quoted, did_you_mean};

use super::bound::Handlers;
use super::context::Context;
use super::error::{CallError, ErrorCode};
use super::shown::shown;

impl Handlers {
    /// The error for a name that can't be called.
    pub(super) fn unknown(&self, skill: &str, context: &Context) -> CallError {
        self.unknown_among(skill, context, |_| true)
    }

    /// The same error, if only some skills are `shown`.
    pub(super) fn unknown_among(
        &self,
        skill: &str,
        context: &Context,
        shown_there: impl Fn(&str) -> bool,
    ) -> CallError {
        let known = self.may_call(context).map(|bound| bound.binding.skill());
        let known: Vec<&str> = known.filter(|name| shown_there(name)).collect();
        let near = nearest::closest(skill.trim(), known.iter().copied().filter(|known| *known != skill));
        let near = near.first().map_or_else(String::new, |near| did_you_mean(Quoted(near)) + " ");
        let has_handler = self.bound(skill).is_some();
        let message = if self.shared.known.contains_key(skill.trim()) && !has_handler {
            format!("the skill `{}` has no handler: it can be loaded, but not called", shown(skill))
        } else {
            format!("no skill `{}` can be called", shown(skill))
        };
        CallError::new(ErrorCode::UnknownSkill, message, format!("{near}{}", names(&known)))
    }
}

/// How many names an error lists.
const NAMES_SHOWN: usize = 50;

fn names(known: &[&str]) -> String {
    if known.is_empty() {
        return "there are no skills that can be called".to_owned();
    }
    let shown = Joined(known.iter().take(NAMES_SHOWN).map(Quoted), ", ");
    format!("the skills are {shown}{}", AndMore(known.len().saturating_sub(NAMES_SHOWN)))
}
