//! Every command that the help shows as an example works as it stands.

use std::process::Command;

use crate::place::Place;

#[test]
#[cfg(unix)]
fn examples_in_the_help_work() {
    let place = Place::new();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_skills"));
    let path = format!("{}:/usr/bin:/bin", program.parent().expect("it is in a directory").display());
    let mut tried = 0;
    for command in ["", "list", "search", "load", "prompt", "read", "call", "schema", "check", "new"] {
        let help = place.run([command, "--help"].into_iter().filter(|arg| !arg.is_empty())).stdout;
        let (_, examples) = help.split_once("Examples:\n").expect("each help has examples");
        for example in examples.lines().take_while(|line| line.starts_with("  ")) {
            let place = Place::new();
            if !example.contains(" new ") {
                place.run(["new", "my-skill"]);
            }
            let output = Command::new("sh")
                .args(["-c", example])
                .current_dir(place.path())
                .env("PATH", &path)
                .output();
            let output = output.expect("there is a shell");
            assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
            tried += 1;
        }
    }
    assert!(tried > 18, "{tried}");
}
