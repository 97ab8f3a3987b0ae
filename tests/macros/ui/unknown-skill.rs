// A name that no skill has: the nearest one, else all of them.
fn main() {
    let _: &str = skills::skill!("pdf-form" in "ui/skills-good");
    let _: &str = skills::skill!("spreadsheet" in "ui/skills-good");
    let _: &str = skills::skill!("pdf-forms" in "ui/skills-elsewhere");
    let _: &str = skills::skill!("pdf-forms" in "ui/skills-good");
}
