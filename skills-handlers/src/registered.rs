//! The handlers that the attribute [`handler`](crate::handler) registers, so that no other list is needed.
//!
//! `inventory` collects them from all crates of a program before `main`. It works on more targets than
//! `linkme`, including WebAssembly.

use skills::Registry;

use super::bind_error::BindError;
use super::binding::Binding;
use super::bound::Handlers;

/// A function with the attribute.
#[derive(Debug, Clone, Copy)]
pub struct Registered {
    /// The name of its skill.
    pub skill: &'static str,
    /// Makes its binding.
    pub binding: fn() -> Binding,
}

inventory::collect!(Registered);

/// All of them, by name.
fn all() -> Vec<&'static Registered> {
    let mut all: Vec<&Registered> = inventory::iter::<Registered>().collect();
    all.sort_by_key(|registered| registered.skill);
    all
}

impl Handlers {
    /// Binds every function in all crates of this program that has the attribute [`handler`](crate::handler)
    /// and whose skill the registry serves.
    ///
    /// Add closures with [`bind`](Self::bind).
    ///
    /// # Errors
    ///
    /// As for [`bind`](Self::bind) and [`complete`](Self::complete).
    pub fn all(registry: &Registry<'_>) -> Result<Self, BindError> {
        let mut handlers = Self::new(registry);
        for registered in all() {
            if handlers.serves(registered.skill) {
                handlers = handlers.bind((registered.binding)())?;
            } else {
                // A policy may block it, or it belongs to another registry of this program.
                tracing::debug!(skill = registered.skill, "a handler's skill isn't served here");
            }
        }
        handlers.complete()
    }

    /// Checks that no handler is missing: every skill with `parameters` in its SKILL.md or with a function that has
    /// the attribute [`handler`](crate::handler) must be bound. Call it last if you [`bind`](Self::bind) by
    /// hand.
    ///
    /// # Errors
    ///
    /// [`BindError::NotBound`], with all skills that have no handler.
    pub fn complete(self) -> Result<Self, BindError> {
        let registered = all().into_iter().map(|registered| registered.skill);
        let registered = registered.filter(|skill| self.serves(skill)).map(str::to_owned);
        let mut skills: Vec<String> = registered.chain(self.with_parameters().map(str::to_owned)).collect();
        skills.retain(|skill| self.skills().all(|bound| bound != skill));
        skills.sort_unstable();
        skills.dedup();
        if skills.is_empty() { Ok(self) } else { Err(BindError::NotBound { skills }) }
    }
}
