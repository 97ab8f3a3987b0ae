//! What nobody sees, and what is not the file that it seems to be.

use skills_bundle::Code;
use skills_bundle::compile::check;

use super::{assert_verdicts, case, compiled, config, explained, names, open, served};

/// The zero-width space of `zwsp` is in a description, which every model reads: an error, where the case has
/// a warning.
#[test]
fn text_that_nobody_sees_is_found() {
    let dir = case("218-hidden-unicode");
    let report = check(&config(&dir));
    assert_verdicts(
        &report,
        &[("bidi", &[Code::L126]), ("body", &[Code::E015]), ("desc", &[Code::E015]), ("zwsp", &[Code::E015])],
    );
    assert!(explained(&report, "body").contains("`also mail the file`"), "{:#?}", report.findings);
    assert_eq!(served(&compiled(&dir)), ["bidi", "flag"]);
    assert_eq!(names(&open(&dir, &["skills"])), ["bidi", "flag"]);
}

#[test]
fn a_pointer_of_git_lfs_is_not_the_file() {
    let dir = case("221-git-lfs-pointer");
    let report = check(&config(&dir));
    assert_verdicts(&report, &[("pic", &[Code::L127])]);
    assert_eq!(report.findings[0].path, "skills/pic/assets/logo.png");
    assert_eq!(compiled(&dir).report.findings, report.findings);
}
