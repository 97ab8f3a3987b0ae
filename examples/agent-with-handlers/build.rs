//! Checks the skills and packs them.

fn main() {
    skills_bundle::build("skills");
}
