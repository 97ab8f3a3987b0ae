//! The error of a handler: a code, a message, and what the model can do about it.
//!
//! The operator `?` converts every standard error. An I/O error from the system gets a code, a message and a
//! suggestion by its kind, which are the same on every system.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

use serde_json::Value;

use super::error::CallError;
use super::shown::shown;

/// The error of a handler: a code, a message, and what the model can do about it.
///
/// The operator `?` converts every standard error. The message goes to the model, so reword an error that
/// says something the model must not see. The message of an I/O error shows the arguments of the call;
/// [`About::about`] names the file instead.
///
/// ```
/// use skills_handlers::{About, Failure};
///
/// fn open(path: &str) -> Result<String, Failure> {
///     if path.is_empty() {
///         return Err(Failure::new("the path is empty").code("NO_PATH").suggest("give a path below the root"));
///     }
///     std::fs::read_to_string(path).about(path)
/// }
///
/// let failure = open("missing.txt").unwrap_err();
/// assert_eq!(failure.code.as_deref(), Some("FILE_NOT_FOUND"));
/// assert_eq!(failure.message, "`missing.txt`: the file or directory doesn't exist");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// A code such as `FILE_NOT_FOUND`. Without one, the model and the metrics see `FAILED`.
    pub code: Option<Cow<'static, str>>,
    /// What went wrong.
    pub message: String,
    /// What the model can do about it. May be empty.
    pub suggestion: String,
    /// Whether the message names no file or address.
    names_nothing: bool,
}

impl Failure {
    /// A failure with this message.
    pub fn new(message: impl fmt::Display) -> Self {
        Self { code: None, message: message.to_string(), suggestion: String::new(), names_nothing: false }
    }

    /// Sets the code: capitals, digits and `_`, at most 64 of them. Other characters become `_`.
    #[must_use]
    pub fn code(mut self, code: impl Into<Cow<'static, str>>) -> Self {
        let code = code.into();
        let fits = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
        self.code = Some(if (1..=64).contains(&code.len()) && code.chars().all(fits) {
            code
        } else {
            let upper = code.chars().take(64).map(|letter| letter.to_ascii_uppercase());
            Cow::Owned(upper.map(|letter| if fits(letter) { letter } else { '_' }).collect())
        });
        self
    }

    /// Adds what the model can do about it.
    #[must_use]
    pub fn suggest(mut self, suggestion: impl fmt::Display) -> Self {
        self.suggestion = suggestion.to_string();
        self
    }

    /// Adds the file or address that it is about.
    #[must_use]
    pub fn about(mut self, subject: impl AsRef<Path>) -> Self {
        self.message = format!("`{}`: {}", shown(&subject.as_ref().to_string_lossy()), self.message);
        self.names_nothing = false;
        self
    }

    /// Adds the arguments of the call, if the message names no file.
    pub(super) fn about_arguments(mut self, arguments: &str) -> Self {
        let arguments = if self.names_nothing { serde_json::from_str(arguments).ok() } else { None };
        if let Some(Value::Object(fields)) = arguments {
            let texts = fields.iter().filter_map(|(name, value)| Some((name, value.as_str()?)));
            let texts: Vec<String> =
                texts.take(3).map(|(name, text)| format!("`{}` is `{}`", shown(name), shown(text))).collect();
            if !texts.is_empty() {
                self.message = format!("{} ({})", self.message, texts.join(", "));
            }
        }
        self
    }

    fn of_io(error: &io::Error) -> Self {
        let (code, message, suggestion) = in_words(error.kind());
        // An error that a program made has its own message.
        let is_of_system = error.get_ref().is_none();
        let message = match message {
            Some(message) if is_of_system => message.to_owned(),
            None if is_of_system => error.kind().to_string(),
            _ => error.to_string(),
        };
        let failure = Self::new(message).code(code).suggest(suggestion);
        Self { names_nothing: is_of_system, ..failure }
    }

    fn of_call(error: &CallError) -> Self {
        let failure = Self::new(&error.message).suggest(&error.suggestion);
        failure.code(error.code_str().to_owned())
    }
}

/// Names what an error is about.
pub trait About<T> {
    /// Adds the file or address to the error, if there is one.
    ///
    /// # Errors
    ///
    /// If `self` is an error.
    fn about(self, subject: impl AsRef<Path>) -> Result<T, Failure>;
}

impl<T, E: Into<Failure>> About<T> for Result<T, E> {
    fn about(self, subject: impl AsRef<Path>) -> Result<T, Failure> {
        self.map_err(|error| error.into().about(subject))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// `Failure` doesn't implement `Error`, so that every type that does can be converted.
impl<E: std::error::Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let any: &dyn Any = &error;
        if let Some(error) = any.downcast_ref::<io::Error>() {
            return Self::of_io(error);
        }
        match any.downcast_ref::<CallError>() {
            Some(error) => Self::of_call(error),
            None => Self::new(error),
        }
    }
}

/// The code, the message and the suggestion for a kind of I/O error.
fn in_words(kind: ErrorKind) -> (&'static str, Option<&'static str>, &'static str) {
    let (code, message, suggestion) = match kind {
        ErrorKind::NotFound => (
            "FILE_NOT_FOUND",
            "the file or directory doesn't exist",
            "check the path, or search for the file first",
        ),
        ErrorKind::PermissionDenied => (
            "PERMISSION_DENIED",
            "access is denied",
            "use another path, or tell the user that access is missing",
        ),
        ErrorKind::AlreadyExists => ("ALREADY_EXISTS", "it already exists", "use another name"),
        ErrorKind::NotADirectory => {
            ("NOT_A_DIRECTORY", "a part of the path isn't a directory", "check each part of the path")
        }
        ErrorKind::IsADirectory => ("IS_A_DIRECTORY", "it is a directory", "name a file in it"),
        ErrorKind::DirectoryNotEmpty => {
            ("DIRECTORY_NOT_EMPTY", "the directory isn't empty", "empty it first")
        }
        ErrorKind::ReadOnlyFilesystem => ("READ_ONLY", "nothing can be written there", "use another path"),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            ("STORAGE_FULL", "no space is left there", "tell the user, who can make room")
        }
        ErrorKind::FileTooLarge => ("FILE_TOO_LARGE", "the file is too large", "work on a smaller part"),
        ErrorKind::InvalidFilename => {
            ("INVALID_NAME", "the system doesn't allow this name", "use a shorter, simpler name")
        }
        ErrorKind::InvalidData => {
            ("INVALID_DATA", "the content isn't what was expected, such as text in UTF-8", "use another file")
        }
        ErrorKind::UnexpectedEof => {
            ("UNEXPECTED_END", "the content ends too early", "check whether it is complete")
        }
        ErrorKind::TimedOut => ("IO_TIMEOUT", "it took too long", "try again later"),
        ErrorKind::ConnectionRefused => (
            "CONNECTION_REFUSED",
            "nothing accepts connections there",
            "check the address, or try again later",
        ),
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::NotConnected
        | ErrorKind::BrokenPipe => ("CONNECTION_LOST", "the connection was lost", "try again"),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => {
            ("NETWORK_UNREACHABLE", "the address can't be reached", "check the address, or tell the user")
        }
        _ => return ("IO_ERROR", None, "try again, or tell the user"),
    };
    (code, Some(message), suggestion)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: ErrorKind) -> Failure {
        io::Error::from(kind).into()
    }

    #[test]
    fn an_io_error_has_a_code_a_message_and_a_suggestion() {
        let missing = std::fs::File::open("no/such/file").map(|_| ());
        let failure = missing.about("no/such/file").unwrap_err();
        assert_eq!(failure.code.as_deref(), Some("FILE_NOT_FOUND"));
        assert_eq!(failure.message, "`no/such/file`: the file or directory doesn't exist");
        assert_eq!(failure.suggestion, "check the path, or search for the file first");
        for (kind, code) in [
            (ErrorKind::PermissionDenied, "PERMISSION_DENIED"),
            (ErrorKind::ConnectionReset, "CONNECTION_LOST"),
            (ErrorKind::Deadlock, "IO_ERROR"),
        ] {
            let failure = of(kind);
            assert_eq!(failure.code.as_deref(), Some(code));
            assert!(!failure.suggestion.is_empty() && !failure.message.contains("os error"), "{failure:?}");
        }
        // A message that a program wrote stays.
        let made: Failure = io::Error::new(ErrorKind::NotFound, "no page 7 in `book`").into();
        assert_eq!(
            (made.message.as_str(), made.code.as_deref()),
            ("no page 7 in `book`", Some("FILE_NOT_FOUND"))
        );
    }

    #[test]
    fn an_io_error_shows_the_arguments() {
        let arguments = r#"{"name": "old.txt", "depth": 3}"#;
        let failure = of(ErrorKind::NotFound).about_arguments(arguments);
        assert_eq!(failure.message, "the file or directory doesn't exist (`name` is `old.txt`)");
        // A message that names the file, or that isn't from the system, stays as it is.
        let named = of(ErrorKind::NotFound).about("x").about_arguments(arguments);
        assert_eq!(named.message, "`x`: the file or directory doesn't exist");
        assert_eq!(Failure::new("no").about_arguments(arguments).message, "no");
        assert_eq!(
            of(ErrorKind::NotFound).about_arguments("[]").message,
            "the file or directory doesn't exist"
        );
    }

    #[test]
    fn a_code_is_in_capitals() {
        assert_eq!(Failure::new("x").code("file gone!").code.as_deref(), Some("FILE_GONE_"));
        assert_eq!(Failure::new("x").code("A".repeat(100)).code.map(|code| code.len()), Some(64));
        assert_eq!(Failure::new("x").code, None);
    }
}
