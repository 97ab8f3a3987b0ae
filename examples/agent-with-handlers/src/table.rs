//! Queries a SQLite database without changing it, or opening another.

use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skills_handlers::{Context, Failure};

use crate::Database;

/// How many rows an answer has at most.
const MAX_ROWS: usize = 10_000;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Query {
    /// One SELECT.
    #[schemars(length(min = 1))]
    sql: String,
}

#[derive(Serialize)]
pub(crate) struct Rows {
    rows: Vec<Map<String, Value>>,
    /// Whether there were more.
    more: bool,
}

#[skills_handlers::handler(skill = "table-query", examples = [r#"{"sql": "SELECT name, sql FROM sqlite_schema"}"#])]
pub(crate) fn table_query(input: Query, context: Context) -> Result<Rows, Failure> {
    let Some(Database(path)) = context.get::<Database>() else {
        return Err(Failure::new("no database was given").suggest("tell the user to start with --database"));
    };
    let mut connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    // `ATTACH` would open any file that this program can read.
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    // What nobody waits for any more is stopped.
    let waiting = context.clone();
    connection.progress_handler(1_000, Some(move || waiting.is_cancelled()))?;

    let mut statement = connection.prepare(&input.sql)?;
    if !statement.readonly() {
        return Err(Failure::new("the database is only read").suggest("write one SELECT"));
    }
    let names: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
    let mut found = statement.query([])?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        if rows.len() == MAX_ROWS {
            return Ok(Rows { rows, more: true });
        }
        let values = names.iter().enumerate().map(|(at, name)| Ok((name.clone(), json(row.get_ref(at)?))));
        rows.push(values.collect::<rusqlite::Result<_>>()?);
    }
    Ok(Rows { rows, more: false })
}

fn json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::from(number),
        ValueRef::Real(number) => Value::from(number),
        ValueRef::Text(text) => Value::from(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => Value::from(format!("{} bytes", bytes.len())),
    }
}
