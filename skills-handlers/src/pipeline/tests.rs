use std::sync::atomic::{AtomicUsize, Ordering};

use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata};

use super::*;

/// Counts the errors in the log.
#[derive(Clone, Default)]
struct Errors(Arc<AtomicUsize>);

impl tracing::Subscriber for Errors {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::ERROR
    }

    fn event(&self, _: &Event<'_>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn the_reason_why_a_result_is_not_stored_is_reported() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let (long, short) = (Duration::from_secs(60), Duration::from_millis(20));
    let message = |kept: Result<Output, CallError>| {
        let error = kept.unwrap_err();
        assert_eq!(error.code, ErrorCode::Failed);
        error.message
    };
    let errors = Errors::default();
    let _logged = tracing::subscriber::set_default(errors.clone());
    runtime.block_on(async {
        let store = results::ResultStore::new();
        let kept = keep("a", long, move || results::fit("[1,2]".to_owned(), 1, &store)).await;
        assert_eq!(kept.unwrap().text, "[");
        let full = results::ResultStore::under(".", 0);
        let full = keep("a", long, move || results::fit("[1,2]".to_owned(), 1, &full)).await;
        assert_eq!(
            message(full),
            "the call has run, but its result of 5 bytes is more than this conversation may store"
        );
        assert_eq!(errors.0.load(Ordering::SeqCst), 0);
        let panics = keep("a", long, || {
            assert!(std::hint::black_box(false), "for the log alone");
            Err(CallError::new(ErrorCode::Failed, "", ""))
        });
        assert_eq!(
            message(panics.await),
            "`a` has run, but its result cannot be stored: the program has a bug there"
        );
        assert_eq!(errors.0.load(Ordering::SeqCst), 1, "operators see it in the log");
        let (disk, hangs) = std::sync::mpsc::channel::<()>();
        let late = keep("a", short, move || {
            hangs.recv().ok();
            Err(CallError::new(ErrorCode::Failed, "", ""))
        });
        assert_eq!(
            message(late.await),
            "`a` has run, but its result cannot be stored: the disk takes longer than 20ms"
        );
        drop(disk);
    });
}
