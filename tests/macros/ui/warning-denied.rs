// A warning obeys the levels of lints, as every other warning does.
#![deny(warnings)]

static SKILLS: skills::Bundle = skills::include_skills!("ui/skills-warned");

#[allow(deprecated)]
static ALLOWED: skills::Bundle = skills::include_skills!("ui/skills-warned");

fn main() {
    let _ = SKILLS.len() + ALLOWED.len();
}
