//! Does nothing: a package with `links` needs a build script.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
