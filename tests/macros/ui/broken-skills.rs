// Every finding of every file is an error of its own, at the literal, and nothing follows from it.
static SKILLS: skills::Bundle = skills::include_skills!("ui/skills-broken");

const NAME: &str = skills::skill!("csv" in "ui/skills-broken");

fn main() {
    let _ = SKILLS.get(NAME).map(|skill| skill.body());
}
