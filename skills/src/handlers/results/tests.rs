use super::*;

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
fn a_long_result_is_read_on_to_its_end() {
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
fn a_store_keeps_no_more_than_it_may() {
    let parent = tempfile::tempdir().expect("a directory");
    let store = ResultStore::under(parent.path(), 100);
    let text = |len: usize| format!("\"{}\"", "x".repeat(len));
    assert!(fit(text(60), 10, &store).is_ok());
    let error = fit(text(60), 10, &store).expect_err("too much");
    assert_eq!((error.code, error.pending), (ErrorCode::Failed, None));
    assert!(fit(text(40), 10, &store).is_ok());
    let missing = ResultStore::under(parent.path().join("none"), 100);
    let error = fit(text(60), 10, &missing).expect_err("no directory");
    assert_eq!(error.message, "the result cannot be kept: entity not found");
}
