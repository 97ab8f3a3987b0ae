//! The command `remove`: locked skills and their entries go together. What was edited stays.

use skills_bundle::lock::{self, LOCK_FILE, SkillState};
use skills_bundle::render;

use crate::args::Remove;
use crate::failure::Failure;
use crate::form::Form;
use crate::output::{self, Outcome};
use crate::sources::disk;
use crate::sources::project::{Planned, Project, carry_out};

pub(crate) fn run(args: &Remove, form: Form) -> Result<Outcome, Failure> {
    let mut project = Project::open(form)?;
    let compared = lock::check(&project.lock, &project.directory, &[]);
    let mut change = project.change()?;
    let mut plan: Vec<Planned> = Vec::new();
    for at in project.chosen(&args.names)? {
        let (skill, state) = (&project.lock.skills[at], compared[at].state);
        if !matches!(state, SkillState::Ok | SkillState::LineEndsOnly | SkillState::Missing) {
            let message = format!("`{}` differs from the lock: {}", skill.dir, state.words());
            let help = format!(
                "to keep it as your own, take its entry out of `{LOCK_FILE}`; else undo the changes first, as with \
                 `git checkout -- {}`, or delete the directory and run this again",
                skill.dir
            );
            return Err(Failure::other("SKILL_EDITED", message, help));
        }
        let line = Planned {
            name: skill.name.clone(),
            dir: skill.dir.clone(),
            action: "remove",
            why: format!("from {}", skill.source),
        };
        let directory = project.directory.join(&skill.dir);
        if directory.symlink_metadata().is_ok() {
            // Hidden files are nobody's but the user's.
            let there = disk::files(&directory)?;
            if let Some(path) = there.keys().find(|path| skill.file(path).is_none()) {
                let message = format!("`{}/{path}` is not in the lock", skill.dir);
                return Err(Failure::other("SKILL_EDITED", message, "move it away, or remove it"));
            }
            change.take_away(&skill.dir);
        }
        plan.push(line);
    }
    if form == Form::Text {
        for line in &plan {
            output::tell(&format!("{}\n", render::escape(&format!("remove {} ({})", line.dir, line.why))));
        }
    }
    project.lock.skills.retain(|skill| !plan.iter().any(|line| line.dir == skill.dir));
    carry_out(&plan, args.write.consent(), form, || change.apply(&project.lock))
}
