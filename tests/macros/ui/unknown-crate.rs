// One error for a path that leads nowhere.
static SKILLS: skills::Bundle = skills::include_skills!(crate = agentskills, "ui/skills-good");

fn main() {
    let _ = SKILLS.len();
}
