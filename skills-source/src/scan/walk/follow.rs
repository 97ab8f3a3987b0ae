//! What is at the end of a symlink, and whether the walk goes there.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use super::{Dir, FileAt, Kind, Owner, Walk, holds_skill_file};
use crate::code::Code;
use crate::scan::links::{self, Target};
use crate::scan::{EVALS, LeftOutReason, MAX_LINKS_IN_A_PATH, report};

impl Walk<'_> {
    pub(super) fn follow(&mut self, dir: &Dir, in_skill: bool, rel: &str, link: &Path) -> Kind {
        let may_leave = self.options.follow_skills_out && dir.owner == Owner::Nobody;
        let end = fs::canonicalize(link);
        self.scan.links.push((link.to_owned(), end.as_ref().ok().cloned()));
        let target = links::follow(end, &dir.within, may_leave);
        if let Target::File(end, _) | Target::Directory(end) = &target
            && self.is_left_out(end, matches!(target, Target::File(..)))
        {
            self.leave_out(rel, LeftOutReason::Link);
            return Kind::Refused;
        }
        if let Target::File(end, _) | Target::Directory(end) = &target
            && self.leads_into_another(dir, in_skill, end)
        {
            self.report(Code::L125, rel, report::INTO_ANOTHER_SKILL);
            return Kind::Refused;
        }
        match target {
            Target::SkillOutside(disk) => {
                let within = Rc::from(disk.as_path());
                self.scan.outside.push(disk.clone());
                Kind::Directory(disk, dir.trail.through(&dir.disk), within)
            }
            Target::File(disk, metadata) => Kind::File(FileAt::Linked(disk, metadata)),
            Target::Special(what) => Kind::Special(what),
            Target::Directory(disk) if dir.trail.would_loop(&dir.disk, &disk) => {
                self.leave_out(rel, LeftOutReason::Loop);
                Kind::Refused
            }
            Target::Directory(_) if dir.trail.len() >= MAX_LINKS_IN_A_PATH => {
                self.stop(rel, format!("more than {MAX_LINKS_IN_A_PATH} symlinks are on the way here"));
                Kind::Refused
            }
            Target::Directory(disk) => {
                Kind::Directory(disk, dir.trail.through(&dir.disk), Rc::clone(&dir.within))
            }
            Target::Refused(why) => {
                self.scan.findings.push(report::refused_link(self.shown(rel), link, self.label, &why));
                Kind::Refused
            }
        }
    }

    /// Whether the end of a link, or a directory on the way to it, is left out by its name.
    fn is_left_out(&self, end: &Path, is_file: bool) -> bool {
        let Ok(below) = end.strip_prefix(&self.root) else { return false };
        let mut disk = self.root.clone();
        let mut rel = String::new();
        let mut parts = below.components().peekable();
        while let Some(part) = parts.next() {
            let name = part.as_os_str().to_string_lossy();
            disk.push(part);
            if !rel.is_empty() {
                rel.push('/');
            }
            rel.push_str(&name);
            let is_file = is_file && parts.peek().is_none();
            let is_evals = name == EVALS && !is_file && !self.options.keep_evals;
            if is_evals && disk.parent().is_some_and(holds_skill_file) {
                return true;
            }
            if self.leave_out.reason(&name, &rel, is_file, || holds_skill_file(&disk)).is_some() {
                return true;
            }
        }
        false
    }
}
