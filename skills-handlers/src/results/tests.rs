use super::*;

fn fit(json: String, limit: usize, store: &ResultStore) -> Result<Output, CallError> {
    super::fit(bare(json), limit, store).map(Fitted::take)
}

fn bytes(store: &ResultStore) -> u64 {
    lock(&store.0.kept).bytes
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
    assert_eq!((bytes(&store), bytes(&missing)), (100, 0));
}

#[test]
fn undelivered_results_take_up_no_room() {
    let store = ResultStore::visible();
    let kept = fit(format!("\"{}\"", "x".repeat(60)), 10, &store).expect("it is kept");
    let late = super::fit("y".repeat(40), 10, &store).expect("it is kept");
    let handle = |output: &Output| output.rest.as_ref().map(|rest| rest.handle.clone()).expect("it is long");
    let (kept, lost) = (handle(&kept), handle(&late.output));
    let dir = store.dir().expect("a file was written");
    assert!(bytes(&store) == 100 && dir.join(&lost).is_file() && store.read(&lost, 0, 1).is_ok());
    drop(late);
    assert!(bytes(&store) == 60 && !dir.join(&lost).exists() && store.read(&lost, 0, 1).is_err());
    assert!(dir.join(&kept).is_file() && store.read(&kept, 0, 1).is_ok());
    // A file that can't be deleted still takes up room.
    let late = super::fit("z".repeat(20), 10, &store).expect("it is kept");
    let lost = dir.join(handle(&late.output));
    std::fs::remove_file(&lost).and_then(|()| std::fs::create_dir(&lost)).expect("a directory in its place");
    drop(late);
    assert_eq!(bytes(&store), 80);
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
    assert_eq!(bytes(&store), 140);
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
            sender.send(bytes(&late_store)).ok();
            fitted
        };
        let late = super::super::execute::beside(Duration::from_millis(20), work).await;
        assert!(late.is_err());
    });
    drop(disk);
    assert_eq!(receiver.recv(), Ok(7));
    let until = Instant::now() + Duration::from_secs(60);
    while bytes(&store) > 0 && Instant::now() < until {
        std::thread::yield_now();
    }
    let dir = store.dir().expect("a file was written");
    assert_eq!((bytes(&store), inside(&dir)), (0, 0));
}
