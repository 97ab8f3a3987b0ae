//! What is a source, and what each form means.

use super::*;

fn remote(source: &str) -> Option<(String, Tail, Option<String>, Option<String>)> {
    let named = Named::locked(source).ok()?;
    match named.place {
        Where::Remote { url, tail } => Some((url, tail, named.reference, named.skill)),
        _ => None,
    }
}

#[test]
fn repositories_are_named_in_many_ways() {
    let path = |path: &str| Tail::Path(path.to_owned());
    let tree = |path: &str| Tail::RefAndPath(path.to_owned());
    let some = |text: &str| Some(text.to_owned());
    let github = "https://github.com/acme/skills.git";
    for (source, url, tail, reference, skill) in [
        ("acme/skills", github, path(""), None, None),
        ("acme/skills/skills/pdf#v1.2", github, path("skills/pdf"), some("v1.2"), None),
        ("acme/skills@pdf#topic/one", github, path(""), some("topic/one"), some("pdf")),
        ("github:acme/skills.git", github, path(""), None, None),
        ("gitlab:acme/skills", "https://gitlab.com/acme/skills.git", path(""), None, None),
        ("https://github.com/acme/skills", github, path(""), None, None),
        ("https://github.com/acme/skills/tree/a/b/c", github, tree("a/b/c"), None, None),
        (
            "https://gitlab.com/a/b/c/-/tree/main/x",
            "https://gitlab.com/a/b/c.git",
            tree("main/x"),
            None,
            None,
        ),
        ("https://example.org/x.git#v1", "https://example.org/x.git", path(""), some("v1"), None),
        ("ssh://git@example.org/x", "ssh://git@example.org/x", path(""), None, None),
        ("git@example.org:a/b.git", "git@example.org:a/b.git", path(""), None, None),
    ] {
        assert_eq!(remote(source), Some((url.to_owned(), tail, reference, skill)), "{source}");
    }
}

#[test]
fn what_is_no_repository_is_refused() {
    for source in [
        "",
        "-x",
        "acme",
        "acme/",
        "/etc",
        "./x",
        "../x",
        "~/x",
        "file:../x",
        "acme/skills/../x",
        "acme/-x",
        "http://example.org/x",
        "ssh://me:secret@example.org/x",
        "git://example.org/x",
        "ext::sh -c x",
        "ext::x",
        "fd::17",
        "crate:x",
        "https://",
        "https://example.org/a.zip",
        "https://example.org/a/SKILL.md",
        "https://github.com/a/b/blob/main/x",
        "https://example.org/a?b",
        "git@-oProxyCommand=x",
        "a@b:-x",
        "acme/skills@",
        "acme/sk ills",
        "HTTP://example.org/x",
    ] {
        assert!(remote(source).is_none(), "{source}");
    }
}

#[test]
fn crates_are_named_with_a_version_or_without() {
    let of = |source: &str| match Named::locked(source).ok()?.place {
        Where::Crate { name, version, path } => Some((name, version, path)),
        _ => None,
    };
    let some = |name: &str, version: Option<&str>, path: &str| {
        Some((name.to_owned(), version.map(str::to_owned), path.to_owned()))
    };
    assert_eq!(of("crate:acme-skills"), some("acme-skills", None, ""));
    assert_eq!(of("crate:acme_skills/skills/pdf/"), some("acme_skills", None, "skills/pdf"));
    assert_eq!(of("crate:acme@1.2.0-rc.1+x/pdf"), some("acme", Some("1.2.0-rc.1+x"), "pdf"));
    for source in [
        "crate:",
        "crate:/x",
        "crate:a/../x",
        "crate:a//x",
        "crate:a/./x",
        "crate:a@/x",
        "crate:a@../x",
        "crate:../x",
        "crate:a\\b",
        "crate:a/b\\c",
        "crate:a#v1",
        "crate:-x y",
    ] {
        assert_eq!(of(source), None, "{source}");
    }
}

#[test]
fn archives_have_their_digest() {
    let digits = "0A".repeat(32);
    let digest = Digest([10; 32]);
    for (source, place) in [
        (
            format!("https://example.org/a/pdf.tar.gz#sha256={digits}"),
            Where::ArchiveAt { url: "https://example.org/a/pdf.tar.gz".to_owned(), digest },
        ),
        (
            format!("./pdf.zip#sha256={digits}"),
            Where::ArchiveFile { path: "./pdf.zip".into(), is_url: false, digest },
        ),
        (
            format!("file:../pdf.tgz#sha256={digits}"),
            Where::ArchiveFile { path: "../pdf.tgz".into(), is_url: true, digest },
        ),
        ("https://example.org/".to_owned(), Where::Site { url: "https://example.org".to_owned() }),
    ] {
        assert_eq!(Named::typed(&source).ok().map(|named| named.place), Some(place), "{source}");
    }
    for source in [
        "https://example.org/a.zip#v1".to_owned(),
        "https://example.org/a.zip#sha256=0a".to_owned(),
        format!("https://example.org/a.zip#sha512={digits}"),
        format!("https://example.org/a.zip?token=x#sha256={digits}"),
        format!("http://example.org/a.zip#sha256={digits}"),
        format!("https://example.org/#sha256={digits}"),
        "./pdf.zip".to_owned(),
    ] {
        assert!(Named::typed(&source).is_err(), "{source}");
    }
    let named =
        Named::typed(&format!("https://me:secret@example.org/a.zip#sha256={digits}")).expect("it is one");
    assert!(named.had_credentials && !format!("{named:?}").contains("secret"), "{named:?}");
    assert!(Named::locked(&format!("./pdf.zip#sha256={digits}")).is_err(), "a lock names no path");
}

#[test]
fn a_token_is_kept_nowhere() {
    for source in ["https://me:secret@example.org", "https://me:secret@example.org/"] {
        let named = Named::locked(source).expect("it is one");
        assert!(named.had_credentials && !format!("{named:?}").contains("secret"), "{named:?}");
    }
    let named = Named::locked("https://me:secret@example.org/a/b.git#v1").expect("it is one");
    assert!(named.had_credentials && named.typed == "https://example.org/a/b.git#v1");
    assert!(!format!("{named:?}").contains("secret"), "{named:?}");
}
