use std::path::Path;

use super::super::output::bare;
use super::*;

fn fit(json: String, limit: usize, store: &ResultStore) -> Result<Output, CallError> {
    super::fit(bare(json), limit, store).map(Fitted::take)
}

#[allow(clippy::disallowed_methods, reason = "the tests look at their own files")]
fn inside(dir: &Path) -> usize {
    std::fs::read_dir(dir).expect("a directory").count()
}

#[test]
fn a_short_result_is_given_as_it_is() {
    let store = ResultStore::new();
    for (json, text) in [("{\"a\":1}", "{\"a\":1}"), ("\"x\\ny\"", "x\ny"), ("[1]", "[1]"), ("null", "null")]
    {
        let output = fit(json.to_owned(), 9, &store).expect("it fits");
        assert_eq!((output.to_string().as_str(), output.rest), (text, None));
    }
    // Characters count, not bytes.
    assert_eq!(fit("\"ééé\"".to_owned(), 3, &store).expect("it fits").rest, None);
    assert_eq!(store.dir(), None);
}

#[test]
fn a_long_result_can_be_read_to_its_end() {
    let store = ResultStore::new();
    let whole: String = (0..200_000).map(|n| ['a', 'é', '😀', '\n'][n % 4]).collect();
    let json = serde_json::to_string(&whole).expect("JSON");
    let output = fit(json, 100, &store).expect("it is kept");
    let rest = output.rest.clone().expect("there is more");
    assert_eq!((rest.total_chars, rest.lines, rest.items, rest.next_offset), (200_000, 50_000, None, 100));
    let handle = &rest.handle;
    assert!(output.to_string().ends_with(&format!(
        "\n\n[truncated: 100 of 200000 characters, 50000 lines in all; read on with read_result \
         handle={handle} offset=100]"
    )));
    let mut read = output.text;
    let mut next = Some(rest.next_offset);
    while let Some(offset) = next {
        let piece = store.read(handle, offset, 7_777).expect("it is there");
        next = piece.next_offset;
        assert_eq!(piece.to_string().ends_with("[end: 200000 characters in all]"), next.is_none());
        read.push_str(&piece.text);
    }
    assert!(read == whole);
    assert_eq!(store.read(handle, 200_000, 10).expect("the end").text, "");
    assert_eq!(store.read(handle, 200_001, 10).expect_err("past").code, ErrorCode::InvalidArguments);
    let error = store.read("result-0", 0, 10).expect_err("unknown");
    assert_eq!(error.message, "no result has the handle `result-0`");

    let dir = store.dir().expect("a file was written");
    assert!(dir.is_dir());
    drop(store);
    assert!(!dir.exists());
}

#[test]
fn items_are_counted() {
    let store = ResultStore::new();
    let output = fit("[{\"a\":[1,2]},{},3]".to_owned(), 5, &store).expect("it is kept");
    assert_eq!((output.text.as_str(), output.rest.and_then(|rest| rest.items)), ("[{\"a\"", Some(3)));
    let output = fit("{\"a\":1,\"b\":2}".to_owned(), 5, &store).expect("it is kept");
    assert_eq!(output.rest.and_then(|rest| rest.items), Some(2));
}

#[test]
fn a_store_stays_within_its_limit() {
    let parent = tempfile::tempdir().expect("a directory");
    let store = ResultStore::under(parent.path(), 100);
    let text = |len: usize| format!("\"{}\"", "x".repeat(len));
    assert!(fit(text(60), 10, &store).is_ok());
    let error = fit(text(60), 10, &store).expect_err("too much");
    assert_eq!((error.code, error.pending), (ErrorCode::Failed, None));
    assert!(fit(text(40), 10, &store).is_ok());
    let missing = ResultStore::under(parent.path().join("none"), 100);
    let error = fit(text(60), 10, &missing).expect_err("no directory");
    assert_eq!(error.message, "the call has run, but its result cannot be kept: entity not found");
    assert_eq!((store.bytes(), missing.bytes()), (100, 0));
}

#[test]
fn undelivered_results_take_up_no_room() {
    let store = ResultStore::visible();
    let kept = fit(format!("\"{}\"", "x".repeat(60)), 10, &store).expect("it is kept");
    let late = super::fit("y".repeat(40), 10, &store).expect("it is kept");
    let handle = |output: &Output| output.rest.as_ref().map(|rest| rest.handle.clone()).expect("it is long");
    let (kept, lost) = (handle(&kept), handle(&late.output));
    let dir = store.dir().expect("a file was written");
    assert!(store.bytes() == 100 && dir.join(&lost).is_file() && store.read(&lost, 0, 1).is_ok());
    drop(late);
    assert!(store.bytes() == 60 && !dir.join(&lost).exists() && store.read(&lost, 0, 1).is_err());
    assert!(dir.join(&kept).is_file() && store.read(&kept, 0, 1).is_ok());
    // A file that can't be deleted still takes up room.
    let late = super::fit("z".repeat(20), 10, &store).expect("it is kept");
    let lost = dir.join(handle(&late.output));
    std::fs::remove_file(&lost).and_then(|()| std::fs::create_dir(&lost)).expect("a directory in its place");
    drop(late);
    assert_eq!(store.bytes(), 80);
}

#[test]
fn concurrent_results_share_one_directory() {
    let parent = tempfile::tempdir().expect("a directory");
    let store = ResultStore::under(parent.path(), 1_000);
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| fit("[1,2,3]".to_owned(), 2, &store).expect("it is kept"));
        }
    });
    // Where the system can, no file has a name.
    let visible = inside(&store.dir().expect("it is there"));
    assert!(inside(parent.path()) == 1 && visible <= 20, "{visible}");
    assert_eq!(store.bytes(), 140);
}

/// A disk that hangs until the call is cancelled, and then continues.
#[test]
fn a_result_that_is_stored_too_late_is_deleted_again() {
    use std::time::{Duration, Instant};

    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let store = ResultStore::visible();
    let (disk, hangs) = std::sync::mpsc::channel::<()>();
    let (sender, receiver) = std::sync::mpsc::channel();
    let late_store = store.clone();
    runtime.block_on(async {
        let work = move || {
            hangs.recv().ok();
            let fitted = super::fit("[1,2,3]".to_owned(), 2, &late_store);
            sender.send(late_store.bytes()).ok();
            fitted
        };
        let late = super::super::execute::beside(Duration::from_millis(20), work).await;
        assert!(late.is_err());
    });
    drop(disk);
    assert_eq!(receiver.recv(), Ok(7));
    let until = Instant::now() + Duration::from_secs(60);
    while store.bytes() > 0 && Instant::now() < until {
        std::thread::yield_now();
    }
    let dir = store.dir().expect("a file was written");
    assert_eq!((store.bytes(), inside(&dir)), (0, 0));
}

#[test]
fn the_results_that_were_read_longest_ago_make_room() {
    let store = ResultStore::of_caller(300);
    let keep = |letter: &str| {
        let output = fit(format!("\"{}\"", letter.repeat(100)), 10, &store).expect("it is kept");
        output.rest.expect("it is long").handle
    };
    let (a, b, c) = (keep("a"), keep("b"), keep("c"));
    assert_eq!(store.read(&a, 99, 1).expect("it is there").text, "a");
    let d = keep("d");
    assert_eq!(store.read(&b, 0, 1).expect_err("it made room").code, ErrorCode::InvalidArguments);
    for (handle, letter) in [(&a, "a"), (&c, "c"), (&d, "d")] {
        assert_eq!(store.read(handle, 0, 1).expect("it is there").text, letter);
    }
    assert_eq!(store.bytes(), 300);
    // One that is too large takes no place of the others.
    assert!(fit(format!("\"{}\"", "e".repeat(301)), 10, &store).is_err());
    assert_eq!((store.bytes(), lock(&store.0.kept).results.len()), (300, 3));
    // One whose call hasn't ended stays.
    let late = super::fit("f".repeat(200), 10, &store).expect("it is kept");
    assert!(fit(format!("\"{}\"", "g".repeat(200)), 10, &store).is_err());
    assert_eq!(late.take().text.len(), 10);
    keep("h");
    assert_eq!(store.bytes(), 300);
}

#[test]
fn many_small_results_are_bounded() {
    let store = ResultStore::of_caller(1_000_000);
    for _ in 0..MOST_RESULTS + 10 {
        fit("\"abc\"".to_owned(), 1, &store).expect("it is kept");
    }
    assert_eq!(lock(&store.0.kept).results.len(), MOST_RESULTS);
    assert_eq!(store.bytes(), 3 * MOST_RESULTS as u64);
}

/// Another user took the name of a directory that was swept.
#[cfg(unix)]
#[test]
fn a_directory_that_was_taken_over_is_replaced() {
    use std::os::unix::fs::PermissionsExt;

    let parent = tempfile::tempdir().expect("a directory");
    let store = ResultStore::under(parent.path(), 1_000);
    fit("\"abc\"".to_owned(), 1, &store).expect("it is kept");
    let first = store.dir().expect("a file was written");
    std::fs::remove_dir_all(&first).and_then(|()| std::fs::create_dir(&first)).expect("it was swept");
    std::fs::set_permissions(&first, PermissionsExt::from_mode(0o777)).expect("it is open to all");
    let handle = fit("\"xyz\"".to_owned(), 1, &store).expect("it is kept").rest.expect("it is long").handle;
    let second = store.dir().expect("there is another");
    assert!(second != first && inside(&first) == 0);
    assert_eq!(store.read(&handle, 0, 3).expect("it is there").text, "xyz");
    drop(store);
    assert!(first.is_dir() && !second.exists(), "only its own is deleted");
}
