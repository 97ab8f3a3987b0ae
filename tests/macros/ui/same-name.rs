// The error shows both places.
static SKILLS: skills::Bundle = skills::include_skills!("ui/skills-same-name");

fn main() {
    let _ = SKILLS.len();
}
