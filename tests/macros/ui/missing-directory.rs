// A directory that is not there is a finding, not an empty bundle.
static SKILLS: skills::Bundle = skills::include_skills!("ui/skills-elsewhere");

fn main() {
    let _ = SKILLS.len();
}
