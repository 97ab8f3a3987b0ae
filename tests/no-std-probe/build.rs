//! Compiles the skills of this package.

fn main() {
    skills_bundle::build("skills");
}
