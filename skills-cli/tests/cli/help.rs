//! `completions` and `man`: what a shell and a manual show.

use crate::place::Place;

#[test]
fn each_shell_has_its_script() {
    let place = Place::new();
    for (shell, part) in [
        ("bash", "_skills()"),
        ("elvish", "edit:completion:arg-completer[skills]"),
        ("fish", "complete -c skills"),
        ("powershell", "Register-ArgumentCompleter"),
        ("zsh", "#compdef skills"),
    ] {
        let ran = place.run(["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{shell}");
        for word in [part, "completions", "install", "validate"] {
            assert!(ran.stdout.contains(word), "{shell} has no {word}");
        }
        assert_eq!(place.run(["completions", shell, "--json"]).json()["script"], ran.stdout);
    }
    for args in [&["completions"][..], &["completions", "tcsh"]] {
        assert_eq!(place.run(args).code, 2, "{args:?}");
    }
}

/// A shell that reads the script completes a command.
#[test]
#[cfg(unix)]
fn bash_completes_a_command() {
    let place = Place::new();
    let script = place.run(["completions", "bash"]).stdout;
    place.file("skills.bash", script);
    let ask = "source ./skills.bash; COMP_WORDS=(skills unin); COMP_CWORD=1; _skills skills unin skills; \
               echo \"${COMPREPLY[@]}\"";
    let Ok(output) = std::process::Command::new("bash").args(["-c", ask]).current_dir(place.path()).output()
    else {
        return; // There is no bash.
    };
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "uninstall");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let place = Place::new();
    let program = place.run(["man"]);
    assert!(program.code == 0 && program.stdout.contains(".TH skills 1"), "{}", program.stdout);
    for part in ["skills\\-check(1)", "\\-\\-no\\-bundle", "Exit status"] {
        assert!(program.stdout.contains(part), "{part}: {}", program.stdout);
    }
    for (name, title) in [("check", "skills-check"), ("lint", "skills-check"), ("man", "skills-man")] {
        let page = place.run(["man", name]);
        assert!(page.code == 0 && page.stdout.contains(&format!(".TH {title} 1")), "{}", page.stdout);
        assert_eq!(place.run(["--json", "man", name]).json()["page"], page.stdout);
    }
    let wrong = place.run(["man", "chekc", "--json"]);
    assert_eq!((wrong.error_code().as_str(), wrong.code), ("UNKNOWN_COMMAND", 2));
    assert_eq!(wrong.json()["error"]["suggestion"], "did you mean `check`?");
}
