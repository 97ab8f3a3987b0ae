use super::*;
use crate::code::Code;

fn read_all(text: &str) -> (Option<Node>, Vec<Fault>) {
    read(text, 0..text.len(), Subject::Frontmatter)
}

fn scalars(text: &str) -> Vec<(String, String)> {
    let (root, faults) = read_all(text);
    assert_eq!(faults, [], "{text}");
    let Some(Node { value: Value::Map(entries), .. }) = root else { panic!("no mapping in {text:?}") };
    entries
        .into_iter()
        .filter_map(|entry| match entry.node.value {
            Value::Scalar(scalar) => Some((entry.key, scalar.text)),
            _ => None,
        })
        .collect()
}

/// The faults of a text as `(offset, code, help)`, and the keys that could be read after them.
fn faults(text: &str) -> (Vec<(usize, Code, String)>, Vec<String>) {
    let (root, faults) = read_all(text);
    let keys = match root.map(|root| root.value) {
        Some(Value::Map(entries)) => {
            entries.into_iter().filter(|e| e.node.value != Value::Unreadable).map(|e| e.key).collect()
        }
        _ => Vec::new(),
    };
    (faults.into_iter().map(|fault| (fault.span.start, fault.code, fault.help)).collect(), keys)
}

#[test]
fn scalars_keep_what_was_written() {
    let text =
        "a: 1.10\nb: 12306\nc: yes\nd: 2026-01-02\ne: 0x1f\nf: 'it''s'\ng: |-\n  \"x\"\nh: >\n  y\n  z\n";
    let values: Vec<String> = scalars(text).into_iter().map(|(_, value)| value).collect();
    assert_eq!(values, ["1.10", "12306", "yes", "2026-01-02", "0x1f", "it's", "\"x\"", "y z\n"]);
}

#[test]
fn exact_scalars_are_where_they_say() {
    let text = "näme: é x\nk: \"quoted\"\nl: [a, 'b']\n";
    let (root, _) = read_all(text);
    let Some(Value::Map(entries)) = root.map(|root| root.value) else { panic!("no mapping") };
    assert_eq!(&text[entries[0].key_span.clone()], "näme");
    assert_eq!(&text[entries[0].node.span.clone()], "é x");
    assert_eq!(&text[entries[1].node.span.clone()], "quoted");
    let Value::List(items) = &entries[2].node.value else { panic!("no list") };
    assert_eq!(&text[items[1].span.clone()], "b");
}

#[test]
fn null_is_no_scalar() {
    assert_eq!(scalars("a:\nb: ~\nc: null\nd: \"null\"\n"), [("d".to_owned(), "null".to_owned())]);
}

#[test]
fn a_stray_colon_is_pointed_at_and_the_value_is_whole() {
    let text = "name: x\ndescription: Plan: é.\n  Works with y: run\nlicense: MIT\n";
    let (root, faults) = read_all(text);
    assert_eq!(faults.len(), 1);
    assert_eq!(&text[faults[0].span.clone()], ":");
    assert_eq!(faults[0].span.start, 25);
    assert!(faults[0].help.contains("`description: \"Plan: é. Works with y: run\"`"), "{}", faults[0].help);
    let Some(Value::Map(entries)) = root.map(|root| root.value) else { panic!("no mapping") };
    let Value::Scalar(scalar) = &entries[1].node.value else { panic!("no scalar") };
    assert_eq!(scalar.text, "Plan: é. Works with y: run");
    assert_eq!(entries.len(), 3);
}

#[test]
fn a_fault_never_hides_the_others() {
    let text = "a: \"C:\\Users\"\nb: @x\nc: [1, 2\nd: **x**\ne: \"open\nf: 'a' b\ng: fine\nh: > x\n";
    let (faults, keys) = faults(text);
    let lines: Vec<usize> = faults.iter().map(|(at, ..)| text[..*at].matches('\n').count() + 1).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5, 6, 8], "{faults:?}");
    assert_eq!(keys, ["g"]);
}

#[test]
fn advice_can_be_pasted() {
    for (text, at, advice) in [
        ("d: \"C:\\Users\\demo\"\n", 6, "`d: 'C:\\Users\\demo'`"),
        ("d: \"Say \"hello\" twice\"\n", 9, "`d: 'Say \"hello\" twice'`"),
        ("h: [file] [--fast]\n", 10, "`h: \"[file] [--fast]\"`"),
        ("d: @x\n", 3, "`d: \"@x\"`"),
        ("d: **bold** x\n", 3, "`d: \"**bold** x\"`"),
        ("a:b\nc: d\n", 1, "`a: b`"),
        ("m:\n{\n  \"h\": 1\n}\n", 3, "indent these lines"),
        ("d:\n\t- a\n", 3, "indent with spaces"),
        ("d: |\n\ta\n", 5, "indent with spaces"),
        ("a: b\nc:d\n", 6, "`c: d`"),
        ("m:\n  k: \"a \"b\" c\"\n", 12, "`k: 'a \"b\" c'`"),
        ("m:\n  k: [a] b\n", 12, "`k: \"[a] b\"`"),
        ("a: b\nfoo bar\nc: d\n", 5, "begin it with `#`"),
        ("a: b\n...\nc: d\n", 5, "delete the line"),
        ("a: x\u{7}y\n", 4, "delete it"),
        ("m:\n  note: a: b\n", 12, "`note: \"a: b\"`"),
        ("t:\n  - a: b: c\n", 11, "`- \"a: b: c\"`"),
        ("m:\n  n: @x\n", 8, "`n: \"@x\"`"),
        ("d: |bad\n", 3, "`d: \"|bad\"`"),
        ("d: - x\n", 3, "`d: \"- x\"`"),
    ] {
        let (faults, _) = faults(text);
        assert_eq!(faults.len(), 1, "{text:?} {faults:?}");
        assert_eq!((faults[0].0, faults[0].1), (at, Code::E003), "{text:?}");
        assert!(faults[0].2.contains(advice), "{text:?}: {}", faults[0].2);
    }
}

#[test]
fn equal_keys_are_found_at_every_level() {
    let (found, _) = faults("a: 1\n\"a\": 2\nm:\n  b: 1\n  b: 2\n");
    assert_eq!(
        found.iter().map(|(at, code, _)| (*at, *code)).collect::<Vec<_>>(),
        [(6, Code::E005), (24, Code::E005)]
    );
}

#[test]
fn hostile_input_is_bounded() {
    let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (name, before) in ('b'..='i').zip('a'..) {
        bomb.push_str(&format!("{name}: &{name} [{}]\n", vec![format!("*{before}"); 9].join(",")));
    }
    assert_eq!(faults(&bomb).0[0].1, Code::E018);
    assert_eq!(faults(&"[".repeat(100_000)).0[0].1, Code::E018);
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(4000), vec!["*a"; 200].join(","));
    assert_eq!(faults(&long).0[0].1, Code::E018);
    let nested: String = (0..150).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    assert_eq!(faults(&nested).0[0].1, Code::E018);
}

#[test]
fn legal_forms_of_json_are_read() {
    let (root, found) = read_all("m:\n  {\n    \"h\": { \"b\": [\"jq\"], },\n  }\n");
    assert!(found.is_empty() && root.is_some());
}

#[test]
fn a_quote_that_a_later_value_closes_is_pointed_at() {
    for text in [
        "a: \"open\nb: \"MIT\"\nc: d\n",
        "a: \"open\nb: the \"MIT\" one\nc: d\n",
        "a: 'Tis\nb: doesn't\nc: d\n",
        "a: 'it''s\nb: '> x'\nc: d\n",
        "a: \"open \\\"\nb: \"@x\"\nc: d\n",
        "a: \"open\n  and on\nb: \"- x: y\"\nc: d\n",
    ] {
        let (faults, _) = faults(text);
        assert_eq!(faults.len(), 1, "{text:?} {faults:?}");
        assert_eq!((faults[0].0, faults[0].1), (3, Code::E003), "{text:?}");
        assert!(faults[0].2.contains("close it with"), "{text:?}: {}", faults[0].2);
    }
}

#[test]
fn a_control_character_hides_no_other_fault() {
    let text = "name: pdf\u{2028}x\nd: a\u{7}b\nl: @x\ng: fine\n";
    let (faults, keys) = faults(text);
    assert_eq!(faults.iter().map(|(at, ..)| *at).collect::<Vec<_>>(), [9, 18, 24], "{faults:?}");
    assert_eq!(keys, ["g"]);
}

#[test]
fn what_ends_the_yaml_is_pointed_at() {
    for (text, at) in [
        ("a: b\n...\nc: d\n", 5),
        ("a: b\r...\rc: d\r", 5),
        ("a: b\n--- x\nc: d\n", 5),
        ("  a: b\nc: d\n", 0),
    ] {
        let (faults, _) = faults(text);
        assert_eq!((faults[0].0, faults[0].1), (at, Code::E003), "{text:?}");
        assert_eq!(faults.len(), 1, "{text:?} {faults:?}");
    }
}
