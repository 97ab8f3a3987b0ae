// The error names the first shared name, and both bundles.
static SKILLS: skills::Bundle = skills::include_skills!("ui/skills-good");

mod pack_a {
    pub static SKILLS: skills::Bundle = skills::include_skills!("ui/skills-good");
}

static EMPTY: skills::Bundle = skills::Bundle::EMPTY;

skills::assert_disjoint!(EMPTY, SKILLS, pack_a::SKILLS);

fn main() {
    let _ = SKILLS.len();
}
