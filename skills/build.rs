//! Compiles the stock skills and commands for the program `skills`; for the library alone there is nothing to do.

fn main() {
    #[cfg(feature = "cli")]
    skills_bundle::Builder::new("skills").configure(|config| config.commands("commands")).build();
    #[cfg(not(feature = "cli"))]
    nothing_to_watch();
}

/// Without a line to Cargo, every change in the package would run this again.
#[cfg(not(feature = "cli"))]
#[allow(clippy::print_stdout, reason = "this is how a build script talks to Cargo")]
fn nothing_to_watch() {
    println!("cargo::rerun-if-changed=build.rs");
}
