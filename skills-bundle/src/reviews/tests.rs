use super::*;

fn digest(byte: u8) -> Digest {
    Digest([byte; 32])
}

fn whole(byte: u8) -> Reviewed {
    Reviewed::Whole(digest(byte))
}

fn delta(from: u8, to: u8) -> Reviewed {
    Reviewed::Delta(digest(from), digest(to))
}

fn by(who: &str, what: Reviewed) -> Review {
    Review::new("pdf", who, what)
}

/// The messages of what is wrong with a text, with the lines.
fn faults(text: &str) -> Vec<(u32, String)> {
    let findings = Reviews::read(REVIEWS_FILE, text).expect_err("it is wrong");
    assert!(findings.iter().all(|finding| !finding.help.is_empty()));
    findings.into_iter().map(|finding| (finding.line, finding.message)).collect()
}

#[test]
fn entries_are_added_and_nothing_else_changes() {
    let first = with("", &by("Ana", whole(1))).expect("added");
    insta::assert_snapshot!(first, @r#"
    # Who reviewed which skills, by the digests in skill-sources.lock. `skills review` adds entries.
    version = 1

    [[reviews.pdf]]
    who = "Ana"
    criteria = "reviewed"
    digest = "sha256:0101010101010101010101010101010101010101010101010101010101010101"
    "#);
    let hand = first.replace(
        "version = 1\n",
        "version = 1\n\n# ours\n[criteria.offline]\ndescription = \"Fetches nothing\"\n",
    );
    let mut zip = Review::new("zip", "Bo \"B\" <bo@example.org>", whole(9));
    (zip.criteria, zip.notes, zip.date) =
        (vec!["offline".to_owned()], Some("two\nlines".to_owned()), Some("2026-11-30".to_owned()));
    let second = with(&hand, &zip).expect("added");
    let third = with(&second, &by("Cy", delta(1, 2))).expect("added");
    let digits = |byte: &str| byte.repeat(32);
    insta::assert_snapshot!(third.replace(&digits("01"), "ONE").replace(&digits("02"), "TWO").replace(&digits("09"), "NINE"), @r#"
    # Who reviewed which skills, by the digests in skill-sources.lock. `skills review` adds entries.
    version = 1

    # ours
    [criteria.offline]
    description = "Fetches nothing"

    [[reviews.pdf]]
    who = "Ana"
    criteria = "reviewed"
    digest = "sha256:ONE"

    [[reviews.pdf]]
    who = "Cy"
    criteria = "reviewed"
    delta = "sha256:ONE -> sha256:TWO"

    [[reviews.zip]]
    who = "Bo \"B\" <bo@example.org>"
    date = 2026-11-30
    criteria = "offline"
    digest = "sha256:NINE"
    notes = "two\nlines"
    "#);
    let read = Reviews::read(REVIEWS_FILE, &third).expect("it is read");
    assert_eq!(
        read.reviews.iter().map(|review| review.who.as_str()).collect::<Vec<_>>(),
        ["Ana", "Cy", "Bo \"B\" <bo@example.org>"]
    );
    assert_eq!(read.reviews[2].notes.as_deref(), Some("two\nlines"));
    let windows = third.replace('\n', "\r\n");
    let more = with(&windows, &by("Di", delta(2, 3))).expect("added");
    assert!(!more.replace("\r\n", "").contains('\n'), "{more:?}");
    let odd = Review::new("名 \"x\".y", "E", whole(1));
    let more = with(&third, &odd).expect("added");
    assert!(
        Reviews::read(REVIEWS_FILE, &more)
            .expect("it is read")
            .reviews
            .iter()
            .any(|review| review.skill == odd.skill)
    );
}

#[test]
fn a_chain_of_reviews_covers_what_it_ends_with() {
    let reviews = Reviews {
        criteria: vec![("offline".to_owned(), "Fetches nothing".to_owned())],
        reviews: vec![
            by("a", whole(1)),
            by("b", delta(1, 2)),
            Review { criteria: vec!["offline".to_owned()], ..by("c", delta(2, 3)) },
            by("circle", delta(7, 8)),
            by("circle", delta(8, 7)),
            Review { criteria: vec!["offline".to_owned()], ..by("d", whole(2)) },
        ],
    };
    let who = |digest_of: u8, criterion: &str| {
        let chain = reviews.covering("pdf", digest(digest_of), criterion)?;
        Some(chain.iter().map(|review| review.who.clone()).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(who(1, REVIEWED).as_deref(), Some("a"));
    assert_eq!(who(2, REVIEWED).as_deref(), Some("d"), "the fewest");
    assert_eq!(who(3, REVIEWED).as_deref(), Some("d c"));
    assert_eq!(who(3, "offline").as_deref(), Some("d c"));
    assert_eq!(who(1, "offline"), None);
    assert_eq!(who(8, REVIEWED), None, "nobody saw the beginning");
    assert_eq!(who(4, REVIEWED), None);
    assert!(reviews.covering("csv", digest(1), REVIEWED).is_none(), "a review is of one skill");
    assert_eq!(reviews.covered("pdf", REVIEWED), [digest(2), digest(3), digest(1)]);
    assert_eq!(reviews.covered("pdf", "offline"), [digest(2), digest(3)]);
    assert_eq!(reviews.covered("csv", REVIEWED), []);
}

#[test]
fn a_long_chain_is_followed_once() {
    let number = |number: u32| {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        Digest(bytes)
    };
    let last = 50_000;
    let deltas = (0..last).map(|at| by("a", Reviewed::Delta(number(at), number(at + 1))));
    let reviews = Reviews {
        reviews: deltas.chain([by("a", Reviewed::Whole(number(0)))]).collect(),
        ..Reviews::default()
    };
    let covered = reviews.covered("pdf", REVIEWED);
    assert_eq!(covered.len(), last as usize + 1);
    assert_eq!(covered[..2], [number(0), number(last)]);
}

#[test]
fn what_is_not_understood_is_an_error_with_its_place() {
    let good = with("", &by("Ana", whole(1))).expect("added");
    let one = |from: &str, to: &str| faults(&good.replacen(from, to, 1));
    for (from, to, line, message) in [
        ("who =", "whom =", 5, "`whom` is not known here"),
        ("who = \"Ana\"\n", "", 4, "the entry has no `who`"),
        ("\"Ana\"", "7", 5, "expected a string"),
        ("version = 1", "version = 2", 2, "the file has a version that is not known here: 2"),
        ("version = 1", "", 1, "the file has no `version`"),
        ("version = 1", "version = 1\naudits = 1", 3, "`audits` is not known here"),
        ("digest =", "date = \"x\"\ndigest =", 7, "expected a date"),
        ("sha256:01", "sha256:0", 7, "expected `sha256:` and 64 hexadecimal digits"),
        ("digest =", "delta =", 7, "expected two digests with ` -> ` between them"),
        ("\"reviewed\"", "\"safe\"", 4, "the criterion `safe` is not described"),
        ("[[reviews.pdf]]", "[reviews.pdf]", 4, "`reviews` must be lists of tables"),
        ("version = 1", "version = 1\n[criteria.x]", 3, "a criterion has a description"),
    ] {
        assert_eq!(one(from, to), [(line, message.to_owned())], "{to}");
    }
    let both =
        good.clone() + &*good.lines().last().map(|line| line.replace("digest", "delta")).expect("a line");
    assert!(faults(&both).iter().any(|(_, message)| message == "an entry has `digest` or `delta`, not both"));
    let conflict = format!("{good}<<<<<<< ours\n=======\n>>>>>>> theirs\n");
    assert_eq!(faults(&conflict), [(8, "the file has conflict markers".to_owned())]);
    assert!(matches!(with(&conflict, &by("B", whole(2))), Err(AddError::Unreadable(_))));
}
