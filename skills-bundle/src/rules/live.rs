//! What is beyond the limits of a root that is read at run time: E018. How deep a root is walked is seen to by
//! the scan.

use skills_source::code::Code;
use skills_source::finding::Finding;
use skills_source::scan::{FoundSkill, MAX_LIVE_FILE, MAX_LIVE_SKILLS, SKILL_FILE};

/// Judges the skills of one root, in the order of their paths.
pub(crate) fn check(dirs: &[FoundSkill]) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(beyond) = dirs.get(MAX_LIVE_SKILLS) {
        let message = format!(
            "the root has more than {MAX_LIVE_SKILLS} skills; at run time those from here on are not served"
        );
        let help = "split the root, or remove skills".to_owned();
        findings.push(Finding::on_path(Code::E018, beyond.path.clone(), message, help));
    }
    let beside = |dir: &FoundSkill| {
        let path = dir.path.clone();
        let large = dir.files.iter().filter(|file| file.path != SKILL_FILE && file.len > MAX_LIVE_FILE);
        large
            .map(|file| {
                let message = format!(
                    "the file is larger than {MAX_LIVE_FILE} bytes: it has {}, and cannot be read at run time",
                    file.len
                );
                let help = "make it smaller, divide it, or put it on the ignore list".to_owned();
                Finding::on_path(Code::E018, format!("{path}/{}", file.path), message, help)
            })
            .collect::<Vec<_>>()
    };
    findings.extend(dirs.iter().flat_map(beside));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_source::scan::{self, ScanOptions};

    #[test]
    #[allow(clippy::disallowed_methods, reason = "tests lay out their own trees")]
    fn numbers_and_sizes_are_judged() {
        let root = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(root.path().join("a")).expect("a directory");
        std::fs::write(root.path().join("a/SKILL.md"), "").expect("a file");
        let file = std::fs::File::create(root.path().join("a/data.bin")).expect("a file");
        file.set_len(MAX_LIVE_FILE).expect("it is sparse");
        let found = |len: Option<u64>| {
            if let Some(len) = len {
                file.set_len(len).expect("it is sparse");
            }
            scan::scan(root.path(), "s", &ScanOptions::default()).skills
        };
        assert!(check(&found(None)).is_empty());
        let large = check(&found(Some(MAX_LIVE_FILE + 1)));
        assert_eq!((large.len(), large[0].path.as_str()), (1, "s/a/data.bin"));
        let one = found(Some(0)).remove(0);
        let mut many = vec![one; MAX_LIVE_SKILLS];
        assert!(check(&many).is_empty());
        many.push(many[0].clone());
        assert_eq!(check(&many).len(), 1);
    }
}
