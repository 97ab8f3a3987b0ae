// The package that compiles this has no build script.
static SKILLS: skills::Bundle = skills::bundle!();

mod names {
    skills::names!();
}

fn main() {
    let _ = SKILLS.get(skills::skill!("pdf"));
}
