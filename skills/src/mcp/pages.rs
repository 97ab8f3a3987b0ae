//! Splits long lists into pages.
//!
//! A cursor names the last item of its page, so a list that changes meanwhile neither repeats nor skips an
//! item.

use rmcp::ErrorData;
use rmcp::model::PaginatedRequestParams;

/// A page, and the cursor of the next one.
pub(super) struct Page<T> {
    pub(super) items: Vec<T>,
    pub(super) next: Option<String>,
}

const AFTER: &str = "after:";

/// The requested page of items that are sorted by `key`. A page is full when the weights of its items reach
/// `full`.
pub(super) fn of<T>(
    request: Option<&PaginatedRequestParams>,
    items: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> &str,
    weight: impl Fn(&T) -> usize,
    full: usize,
) -> Result<Page<T>, ErrorData> {
    let cursor = request.and_then(|request| request.cursor.as_deref());
    let after = match cursor.map(|cursor| cursor.strip_prefix(AFTER)) {
        None => None,
        Some(Some(after)) => Some(after),
        Some(None) => return Err(ErrorData::invalid_params("the cursor isn't from this server", None)),
    };
    let mut rest =
        items.into_iter().skip_while(|item| after.is_some_and(|after| key(item) <= after)).peekable();
    let (mut page, mut taken) = (Vec::new(), 0);
    while taken < full
        && let Some(item) = rest.next()
    {
        taken += weight(&item);
        page.push(item);
    }
    let next = page.last().filter(|_| rest.peek().is_some()).map(|last| format!("{AFTER}{}", key(last)));
    Ok(Page { items: page, next })
}
