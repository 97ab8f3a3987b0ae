//! Shows on a terminal that something takes long. It is there from the first second on, and goes away by itself.
//!
//! Nothing may be written to stderr meanwhile.

use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output;

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line is drawn.
const STEP: Duration = Duration::from_millis(100);

/// Shows that the program works, while this value lives.
#[derive(Debug)]
pub(crate) struct Waiting(Option<(Sender<()>, JoinHandle<()>)>);

impl Waiting {
    /// Waits for something, such as "reading skills". Only a terminal shows it.
    pub(crate) fn on(what: &'static str) -> Self {
        if output::is_quiet() || !io::stderr().is_terminal() {
            return Self(None);
        }
        Self::with(what, ProgressDrawTarget::stderr(), PATIENCE)
    }

    fn with(what: &'static str, target: ProgressDrawTarget, patience: Duration) -> Self {
        let (end, ended) = mpsc::channel();
        let thread = thread::spawn(move || {
            let goes_on = |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if !goes_on(patience) {
                return;
            }
            let bar = ProgressBar::with_draw_target(None, target).with_elapsed(patience).with_message(what);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                bar.set_style(style);
            }
            loop {
                bar.tick();
                if !goes_on(STEP) {
                    break;
                }
            }
            bar.finish_and_clear();
        });
        Self(Some((end, thread)))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.0.take() {
            drop(end);
            // It only draws: if that failed, nothing is lost.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;

    /// A terminal that remembers what was written, and when a line was cleared.
    #[derive(Debug, Clone, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl Screen {
        fn add(&self, text: &str) {
            self.0.lock().unwrap().push_str(text);
        }

        fn shown(&self) -> String {
            self.0.lock().unwrap().clone()
        }
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.add(text);
            Ok(())
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.add(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            self.add("<clear>");
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn target(screen: &Screen) -> ProgressDrawTarget {
        ProgressDrawTarget::term_like(Box::new(screen.clone()))
    }

    #[test]
    fn what_is_over_soon_is_never_shown() {
        let screen = Screen::default();
        drop(Waiting::with("reading skills", target(&screen), Duration::from_secs(600)));
        assert_eq!(screen.shown(), "");
    }

    #[test]
    fn what_takes_long_is_shown_and_cleared() {
        let screen = Screen::default();
        let waiting = Waiting::with("reading skills", target(&screen), Duration::ZERO);
        while !screen.shown().contains("reading skills") {
            thread::sleep(Duration::from_millis(5));
        }
        drop(waiting);
        assert!(screen.shown().trim_end().ends_with("<clear>"), "{}", screen.shown());
    }
}
