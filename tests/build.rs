//! Compiles the skills under `skills/`, as any user's build script would.

fn main() {
    // One skill's directory has another name on purpose.
    skills_bundle::Builder::new("skills").configure(|config| config.allow("L103")).build();
}
