//! Invalid arguments of every kind, generated from the schema: every answer is a regular error.

use proptest::prelude::*;
use proptest::sample::Index;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skills_handlers::{Binding, Context, ErrorCode, Failure, Handlers};

use crate::acting::{REGISTRY, editor};

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Order {
    Name,
    Size,
}

#[derive(Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Filter {
    Newer { days: u16 },
    Named { names: Vec<String> },
}

#[derive(Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
struct Query {
    text: String,
    count: u8,
    ratio: Option<f64>,
    exact: bool,
    order: Option<Order>,
    filters: Vec<Filter>,
}

/// Returns its input.
fn echo() -> Handlers {
    let binding = Binding::new("row-count", |query: Query, _: Context| async { Ok::<_, Failure>(query) });
    Handlers::new(&REGISTRY).bind(binding).unwrap()
}

fn query() -> impl Strategy<Value = Query> {
    let order = proptest::option::of(prop_oneof![Just(Order::Name), Just(Order::Size)]);
    let filter = prop_oneof![
        any::<u16>().prop_map(|days| Filter::Newer { days }),
        proptest::collection::vec(".{0,8}", 0..3).prop_map(|names| Filter::Named { names }),
    ];
    let ratio = proptest::option::of(-1e9..1e9);
    (".{0,20}", any::<u8>(), ratio, any::<bool>(), order, proptest::collection::vec(filter, 0..4)).prop_map(
        |(text, count, ratio, exact, order, filters)| Query { text, count, ratio, exact, order, filters },
    )
}

/// Values of all types, none of them close to a valid one.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        Just(json!("{\"kind\": \"newer\", \"days\": 1}")),
        Just(json!("[1]")),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(".{0,6}", inner, 0..4).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

/// Replaces, removes or adds a value inside another.
fn spoil(value: &mut Value, at: Index, with: Value, how: u8) {
    let mut pointers = vec![String::new()];
    collect("", value, &mut pointers);
    let pointer = at.get(&pointers).clone();
    match how {
        0 => {
            if let Some(place) = value.pointer_mut(&pointer) {
                *place = with;
            }
        }
        1 => {
            let (parent, key) = pointer.rsplit_once('/').unwrap_or_default();
            if let Some(Value::Object(map)) = value.pointer_mut(parent) {
                map.remove(key);
            }
        }
        2 => {
            if let Some(Value::Object(map)) = value.pointer_mut(&pointer) {
                map.insert("surprise".to_owned(), with);
            }
        }
        _ => {
            // The valid value, as a string.
            if let Some(place) = value.pointer_mut(&pointer) {
                *place = Value::from(place.to_string());
            }
        }
    }
}

fn collect(prefix: &str, value: &Value, pointers: &mut Vec<String>) {
    let mut child = |key: &str, value: &Value| {
        let pointer = format!("{prefix}/{key}");
        pointers.push(pointer.clone());
        collect(&pointer, value, pointers);
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| child(key, value)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| child(&at.to_string(), value));
        }
        _ => {}
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_fits_comes_through(query in query()) {
        let json = serde_json::to_string(&query).unwrap();
        let output = runtime().block_on(echo().call("row-count", &json, &editor())).unwrap();
        prop_assert_eq!(serde_json::from_str::<Query>(&output.text).unwrap(), query);
    }

    #[test]
    fn what_is_spoilt_is_refused_or_fits(
        query in query(), at in any::<Index>(), with in anything(), how in 0_u8..4,
    ) {
        let mut value = serde_json::to_value(&query).unwrap();
        spoil(&mut value, at, with, how);
        check(&value.to_string())?;
    }

    #[test]
    fn anything_at_all_is_refused(value in anything()) {
        check(&value.to_string())?;
    }

    #[test]
    fn text_that_is_no_json_is_refused(text in ".{0,40}") {
        check(&text)?;
    }
}

/// Refused with a complete error, or accepted if the type accepts it too.
fn check(json: &str) -> Result<(), TestCaseError> {
    let outcome = runtime().block_on(echo().call("row-count", json, &editor()));
    match outcome {
        Ok(_) => prop_assert!(serde_json::from_str::<Query>(json).is_ok(), "{json}"),
        Err(error) => {
            prop_assert_eq!(error.code, ErrorCode::InvalidArguments);
            prop_assert!(error.message.starts_with("`row-count`: "), "{}", error.message);
            prop_assert!(error.suggestion.contains("for example {"), "{}", error.suggestion);
            let shown: Value = serde_json::from_str(&error.to_string()).unwrap();
            prop_assert_eq!(shown.as_object().unwrap().len(), 3);
            prop_assert!(error.to_string().len() < 1000, "{error}");
        }
    }
    Ok(())
}
