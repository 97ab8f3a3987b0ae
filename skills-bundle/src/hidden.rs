//! What is reported of a skill or slash command that one of the same name in an earlier root hides (L124).

use skills_source::code::Code;
use skills_source::finding::{Finding, Related};

use crate::report::Hidden;

/// What is hidden, or hides.
pub(crate) struct Named<'n> {
    /// The name, of a command with its slash.
    pub(crate) name: &'n str,
    /// Where the name is given.
    pub(crate) place: Related,
    /// The root, as it is shown.
    pub(crate) root: &'n str,
    /// Its directory or definition, as it is shown in the pack.
    pub(crate) pack_path: &'n str,
}

/// The record and the finding. Paths in a pack don't tell the roots apart, so the finding names these.
pub(crate) fn hidden(hidden: Named<'_>, by: Named<'_>) -> (Hidden, Finding) {
    let (name, root, by_root) = (hidden.name, hidden.root, by.root);
    let kind = if name.starts_with('/') { "slash command" } else { "skill" };
    let message = format!("the {kind} `{name}` of `{root}` is hidden by the one of `{by_root}`");
    let help = format!("give one of them another name, or remove the one of `{root}`, which is not served");
    let (mut place, mut served) = (hidden.place, by.place);
    "this one is hidden".clone_into(&mut place.label);
    "this one is served".clone_into(&mut served.label);
    let finding = Finding::at(place, Code::L124, message, help).with_related(served);
    let (path, by) = (hidden.pack_path.to_owned(), by.pack_path.to_owned());
    (Hidden { name: name.to_owned(), path, by }, finding)
}
