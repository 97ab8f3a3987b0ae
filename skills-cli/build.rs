//! Compiles the stock skills and commands for the program `skills`.

fn main() {
    skills_bundle::Builder::new("skills").configure(|config| config.commands("commands")).build();
}
