// Input of another form: how it is written, at what does not fit.
static ROOT: &str = "ui/skills-good";
static NOTHING: skills::Bundle = skills::include_skills!();
static NO_LITERAL: skills::Bundle = skills::include_skills!(ROOT);
static TWO: skills::Bundle = skills::include_skills!("ui/skills-good", "ui/skills-broken");
static DIRECTORY: skills::Bundle = skills::bundle!("ui/skills-good");
static NO_PATH: skills::Bundle = skills::bundle!(crate);

mod names {
    skills::names!("ui/skills-good");
}

fn main() {
    let _ = (ROOT, NOTHING.len(), NO_LITERAL.len(), TWO.len(), DIRECTORY.len(), NO_PATH.len());
    let _: &str = skills::skill!();
    let _: &str = skills::skill!(pdf);
    let _: &str = skills::skill!("pdf", "ui/skills-good");
    let _: &str = skills::skill!("pdf" in);
}
