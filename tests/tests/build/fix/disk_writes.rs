//! How a fix is written to disk: as a whole, over the file that was read, and never through a symlink.

use std::fs;
use std::path::Path;

use skills_bundle::Config;
use skills_bundle::fix::{self, FileFix, NotWritten};
use skills_tests::disk;

const BROKEN: &str = "---\nname: pdf\ndescription: Read: forms\n---\nBody\n";
const MENDED: &str = "---\nname: pdf\ndescription: \"Read: forms\"\n---\nBody\n";

fn the_fix(root: &Path) -> FileFix {
    let mut fixes = fix::plan(&Config::new("skills").base(root));
    assert_eq!(fixes.len(), 1, "{fixes:?}");
    fixes.remove(0)
}

#[test]
fn the_new_content_replaces_the_old() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/SKILL.md", BROKEN);
    fix::write(&the_fix(dir.path())).expect("it is written");
    assert_eq!(disk::read_text(&dir.path().join("skills/pdf/SKILL.md")), MENDED);
    assert_eq!(disk::files(dir.path()).len(), 1);
}

#[test]
fn a_name_in_other_case_is_corrected() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/Skill.md", BROKEN);
    let fix = the_fix(dir.path());
    assert_eq!(fix.new_path.as_deref(), Some("skills/pdf/SKILL.md"));
    fix::write(&fix).expect("it is written");
    assert_eq!(disk::files(dir.path()), [Path::new("skills/pdf/SKILL.md")]);
    assert_eq!(disk::read_text(&dir.path().join("skills/pdf/SKILL.md")), MENDED);
}

#[test]
fn a_note_in_other_case_is_not_made_a_skill() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/notes/skill.md", "Some notes on a skill.\n");
    assert!(fix::plan(&Config::new("skills").base(dir.path())).is_empty());
}

#[test]
fn an_ambiguous_spelling_is_not_guessed() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/skill.md", BROKEN.replace("Read: ", "Read "));
    disk::write(dir.path(), "skills/pdf/Skill.md", BROKEN.replace("Read: ", "Read "));
    if disk::files(dir.path()).len() == 2 {
        assert!(fix::plan(&Config::new("skills").base(dir.path())).is_empty());
    }
}

#[test]
fn a_file_that_changed_is_left_alone() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/SKILL.md", BROKEN);
    let fix = the_fix(dir.path());
    let other = BROKEN.replace("forms", "FORMS");
    disk::write(dir.path(), "skills/pdf/SKILL.md", &other);
    assert!(matches!(fix::write(&fix), Err(NotWritten::Changed)));
    assert_eq!(disk::read_text(&dir.path().join("skills/pdf/SKILL.md")), other);
    disk::remove(&dir.path().join("skills/pdf/SKILL.md"));
    assert!(matches!(fix::write(&fix), Err(NotWritten::Changed)));
    assert!(disk::files(dir.path()).is_empty());
}

#[test]
fn a_file_created_meanwhile_is_not_overwritten() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/skill.md", BROKEN.replace("Read: ", "Read "));
    let fix = the_fix(dir.path());
    disk::write(dir.path(), "skills/pdf/SKILL.md", "mine");
    if disk::files(dir.path()).len() == 2 {
        assert!(matches!(fix::write(&fix), Err(NotWritten::Exists)));
        assert_eq!(disk::read_text(&dir.path().join("skills/pdf/SKILL.md")), "mine");
    }
}

#[cfg(unix)]
#[test]
fn permissions_are_kept_and_respected() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/SKILL.md", BROKEN);
    let file = dir.path().join("skills/pdf/SKILL.md");
    let set = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("they are set");
    let mode = || fs::metadata(&file).expect("it is there").permissions().mode() & 0o7777;
    set(0o444);
    assert!(matches!(fix::write(&the_fix(dir.path())), Err(NotWritten::NotAllowed)));
    assert_eq!(disk::read_text(&file), BROKEN);
    set(0o751);
    fix::write(&the_fix(dir.path())).expect("it is written");
    assert_eq!((disk::read_text(&file).as_str(), mode()), (MENDED, 0o751));
}

#[cfg(unix)]
#[test]
fn a_file_with_a_second_name_is_left_alone() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/SKILL.md", BROKEN);
    fs::hard_link(dir.path().join("skills/pdf/SKILL.md"), dir.path().join("other.md")).expect("linked");
    assert!(matches!(fix::write(&the_fix(dir.path())), Err(NotWritten::Linked)));
    assert_eq!(disk::read_text(&dir.path().join("other.md")), BROKEN);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_symlink_out_of_the_root() {
    let dir = disk::temp();
    disk::write(dir.path(), "outside/SKILL.md", BROKEN);
    disk::link(dir.path(), "skills/pdf/SKILL.md", "../../outside/SKILL.md");
    assert!(fix::plan(&Config::new("skills").base(dir.path())).is_empty());

    // A directory becomes a symlink after it was read.
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/SKILL.md", BROKEN);
    disk::write(dir.path(), "outside/SKILL.md", BROKEN);
    let fix = the_fix(dir.path());
    fs::rename(dir.path().join("skills/pdf"), dir.path().join("was")).expect("moved");
    disk::link(dir.path(), "skills/pdf", "../outside");
    assert!(matches!(fix::write(&fix), Err(NotWritten::Changed)));
    assert_eq!(disk::read_text(&dir.path().join("outside/SKILL.md")), BROKEN);

    // So does the file.
    let dir = disk::temp();
    disk::write(dir.path(), "skills/pdf/SKILL.md", BROKEN);
    disk::write(dir.path(), "outside.md", BROKEN);
    let fix = the_fix(dir.path());
    disk::remove(&dir.path().join("skills/pdf/SKILL.md"));
    disk::link(dir.path(), "skills/pdf/SKILL.md", "../../outside.md");
    assert!(matches!(fix::write(&fix), Err(NotWritten::Changed)));
    assert_eq!(disk::read_text(&dir.path().join("outside.md")), BROKEN);
}

#[cfg(unix)]
#[test]
fn a_symlink_inside_the_root_stays_a_symlink() {
    let dir = disk::temp();
    disk::write(dir.path(), "skills/shared/words.md", BROKEN);
    disk::link(dir.path(), "skills/pdf/SKILL.md", "../shared/words.md");
    fix::write(&the_fix(dir.path())).expect("it is written");
    assert!(dir.path().join("skills/pdf/SKILL.md").is_symlink());
    assert_eq!(disk::read_text(&dir.path().join("skills/shared/words.md")), MENDED);

    let dir = disk::temp();
    disk::write(dir.path(), "skills/shared/words.md", BROKEN.replace("Read: ", "Read "));
    disk::link(dir.path(), "skills/pdf/skill.md", "../shared/words.md");
    assert!(matches!(fix::write(&the_fix(dir.path())), Err(NotWritten::Linked)));
}
