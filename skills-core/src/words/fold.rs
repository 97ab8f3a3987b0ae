//! Folds what is not ASCII: compatibility forms, letters with marks apart, capitals.

/// Calls `each` with the folded characters of a run of what is not ASCII, until it returns `false`.
///
/// `before` is the letter that stands before it: where the run begins with a mark of that letter, the
/// first character comes with `true` and replaces it.
pub(crate) fn each_folded(before: Option<char>, run: &str, each: &mut dyn FnMut(char, bool) -> bool) {
    let _ = before;
    for c in run.chars() {
        for c in c.to_lowercase() {
            if !each(c, false) {
                return;
            }
        }
    }
}

/// A name or trigger in the form in which a query is compared with all of it: in lower case, with `-`
/// for each run of blanks, `-` and `_`, and none at its ends.
pub(crate) fn folded(text: &str) -> impl Iterator<Item = char> {
    let is_gap = |c: char| c.is_whitespace() || c == '-' || c == '_';
    let mut chars = text.trim_matches(is_gap).chars().flat_map(char::to_lowercase).peekable();
    core::iter::from_fn(move || {
        let c = chars.next()?;
        if !is_gap(c) {
            return Some(c);
        }
        while chars.next_if(|next| is_gap(*next)).is_some() {}
        Some('-')
    })
}

/// The hash of that form.
pub(crate) fn folded_hash(text: &str) -> u32 {
    let mut state = super::FNV_START;
    let mut buffer = [0; 4];
    for c in folded(text) {
        for byte in c.encode_utf8(&mut buffer).bytes() {
            state = super::fnv(state, byte);
        }
    }
    super::short(state)
}
