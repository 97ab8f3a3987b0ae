//! Repositories and files over https, by a server on this machine with a certificate made for it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::place::{Place, Ran, finish};
use crate::project::{git, project};

/// A project, and a server that ends with it.
pub(crate) struct Served {
    pub(crate) place: Place,
    server: Child,
    pub(crate) base: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Served {
    #[allow(clippy::print_stdout, reason = "it is the output of a test")]
    /// None where the machine lacks what the server needs, and it says so.
    pub(crate) fn new() -> Option<Self> {
        let served = Self::start();
        if served.is_none() {
            println!("skipped: it needs `openssl` and `python3`");
        }
        served
    }

    fn start() -> Option<Self> {
        let place = project();
        let (key, certificate) = (place.path().join("key.pem"), place.path().join("cert.pem"));
        let made = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"])
            .args(["-addext", "subjectAltName=DNS:localhost", "-keyout"])
            .arg(&key)
            .arg("-out")
            .arg(&certificate)
            .stderr(Stdio::null())
            .status();
        if !made.is_ok_and(|status| status.success()) {
            return None;
        }
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cli/git_server.py");
        let mut server = Command::new("python3");
        server.arg(script).arg(place.path()).args([&certificate, &key]).arg(place.path().join("log"));
        let mut server = server.stdout(Stdio::piped()).spawn().ok()?;
        let mut port = String::new();
        BufReader::new(server.stdout.take()?).read_line(&mut port).ok()?;
        if port.trim().is_empty() {
            let _ = server.wait();
            return None;
        }
        Some(Self { place, server, base: format!("https://localhost:{}", port.trim()) })
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        let mut command = self.place.command(args);
        let certificate = self.place.path().join("cert.pem");
        command
            .env("GIT_SSL_CAINFO", &certificate)
            .env("CURL_CA_BUNDLE", &certificate)
            .env("NO_PROXY", "localhost");
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        finish(command.current_dir(self.place.path().join("project")).output())
    }

    /// A repository that the server has, with two skills, on the branch `main`.
    pub(crate) fn repository(&self, name: &str) -> PathBuf {
        self.place.skill(&format!("{name}/skills/pdf"), "Fills forms");
        self.place.file(&format!("{name}/skills/pdf/tools/fill.sh"), "#!/bin/sh\n");
        self.place.skill(&format!("{name}/skills/csv"), "Reads tables");
        let repository = self.place.path().join(name);
        git(&repository, &["init", "-q", "-b", "main"]);
        git(&repository, &["config", "uploadpack.allowFilter", "true"]);
        self.commit(name);
        repository
    }

    pub(crate) fn commit(&self, name: &str) {
        let repository = self.place.path().join(name);
        git(&repository, &["add", "-A"]);
        git(&repository, &["commit", "-qm", "more"]);
    }

    /// Every request that the server had.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.place.path().join("log")).unwrap_or_default()
    }

    /// How often the server was asked which branches it has.
    pub(crate) fn asked(&self) -> usize {
        self.log().lines().filter(|line| line.contains("/info/refs")).count()
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.place.path().join("project").join(path)).expect("it is there")
    }

    /// The state of each skill, by `outdated`.
    pub(crate) fn states(&self) -> (i32, Vec<(String, String)>) {
        let ran = self.run(&["outdated", "--json"]);
        let document = ran.json();
        let skills = document["skills"].as_array().expect("a list").iter();
        let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
        (ran.code, skills.map(|skill| (text(&skill["dir"]), text(&skill["state"]))).collect())
    }
}
