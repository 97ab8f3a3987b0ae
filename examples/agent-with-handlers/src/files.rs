//! Finds and deletes files below the root.

use cap_std::fs::Dir;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skills_handlers::{Context, Failure};

use crate::Root;

/// How deep directories are searched.
const MAX_DEPTH: usize = 32;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Find {
    /// A part of the file's name. Letters of either case match.
    #[schemars(length(min = 1))]
    word: String,
    /// How many files to name at most; 100 if left out.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u16>,
}

#[derive(Serialize)]
pub(crate) struct Found {
    files: Vec<String>,
    /// Whether there were more.
    more: bool,
}

#[skills_handlers::handler(skill = "file-search", examples = [r#"{"word": "notes"}"#])]
pub(crate) fn file_search(input: Find, context: &Context) -> Result<Found, Failure> {
    let limit = usize::from(input.limit.unwrap_or(100));
    let word = input.word.to_lowercase();
    let mut files = Vec::new();
    let mut open = vec![(root(context)?.try_clone()?, String::new(), 0)];
    // One more than is asked for tells whether there are more.
    while let Some((dir, prefix, depth)) = open.pop() {
        for entry in dir.entries()? {
            if context.is_cancelled() || files.len() > limit {
                break;
            }
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            // A link is neither, so none is followed.
            let kind = entry.file_type()?;
            if kind.is_dir() && depth < MAX_DEPTH {
                open.push((entry.open_dir()?, format!("{path}/"), depth + 1));
            } else if kind.is_file() && name.to_lowercase().contains(&word) {
                files.push(path);
            }
        }
    }
    let more = files.len() > limit;
    files.truncate(limit);
    files.sort();
    Ok(Found { files, more })
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Delete {
    /// The file's path, as `file-search` gave it.
    #[schemars(length(min = 1))]
    path: String,
}

#[skills_handlers::handler(skill = "file-delete", confirm = "it deletes the file for good")]
pub(crate) fn file_delete(input: Delete, context: &Context) -> Result<String, Failure> {
    let root = root(context)?;
    let missing =
        |_| Failure::new(format!("there is no file `{}` here", input.path)).suggest("find it by file-search");
    if !root.symlink_metadata(&input.path).map_err(missing)?.is_file() {
        return Err(Failure::new(format!("`{}` is no plain file", input.path)));
    }
    root.remove_file(&input.path)?;
    Ok(format!("`{}` is deleted", input.path))
}

fn root(context: &Context) -> Result<&Dir, Failure> {
    context.get::<Root>().map(|root| &root.0).ok_or_else(|| Failure::new("no root was given"))
}
