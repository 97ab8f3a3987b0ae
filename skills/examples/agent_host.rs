//! A small agent host without a model: it shows the system prompt, the answers to tool calls, and what a
//! session remembers.
//!
//! Run it with `cargo run -p skills --features live --example agent_host`, optionally followed by a directory
//! of your own skills. The tool calls are hard-coded, in the form in which a model makes them.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example prints for whoever runs it")]

use std::env;
use std::path::Path;

use skills::catalogue::{CatalogueForm, CatalogueOptions, SLOT};
use skills::live::{Conventions, LiveRegistry, Overlays, OwnedReply, Root, usual_roots};
use skills::{Bundle, Policy, Provider, Session, schema};

/// In a program with its own skills, this is `skills::bundle!()`.
static SKILLS: Bundle = Bundle::EMPTY;

const SYSTEM: &str = "You are a helpful agent. These skills tell how some tasks are done here:\n\
    {{available_skills}}\nLoad the skill that fits before you start.";

fn main() {
    let registry = open();
    let mut session = Session::new();

    // 1. The system prompt. Without skills, the tool isn't offered at all.
    let snapshot = registry.snapshot();
    let view = session.view(&snapshot.registry());
    if view.is_empty() {
        println!("There are no skills: pass a directory that has some.");
        return;
    }
    let catalogue = view.catalogue(&CatalogueOptions::new(CatalogueForm::Plain).shorten(true));
    println!("--- system prompt, kept while the fingerprint is {:032x}", catalogue.fingerprint);
    println!("{}", SYSTEM.replace(SLOT, &catalogue.text));
    println!("--- tool: {} characters of JSON", schema(Provider::OpenAi).len());

    // 2. Tool calls. If a name isn't found, the registry looks at the disk once more.
    let first = view.skills()[0].skill.name();
    let load = format!(r#"{{"action": "load", "skill_name": "{first}"}}"#);
    show("load", &call(&registry, &mut session, &load));

    // 3. The instructions are in the conversation now and aren't sent again ...
    show("load again", &call(&registry, &mut session, &load));
    println!("--- for the prompt:\n{}", session.loaded_text(&registry.snapshot().registry()));

    // ... until the conversation is compacted.
    session.compacted();
    show("load after compaction", &call(&registry, &mut session, &load));

    // 4. The session is stored with the conversation and restored later.
    let stored = session.to_json();
    match Session::from_json(&stored) {
        Ok(restored) => println!("--- unchanged after restoring: {}", restored == session),
        Err(error) => println!("{error}"),
    }
    println!("--- stored: {stored}");

    // 5. Before each turn, a host may check whether anything has changed on disk.
    let changes = registry.refresh();
    println!("--- changed on disk: {}", !changes.is_empty());
}

/// The bundle, below the usual places of skills and the directory from the command line.
fn open() -> LiveRegistry {
    let mut overlays = Overlays::over(&SKILLS).policy(Policy::allow_all().block("not-here"));
    if let Some(path) = env::args_os().nth(1) {
        overlays = overlays.root(Root::new(path).label("named"));
    }
    let working = env::current_dir().unwrap_or_default();
    let home = env::home_dir();
    let conventions = Conventions::new().project(true).home(true);
    for root in usual_roots(conventions, &working, home.as_deref()) {
        overlays = overlays.root(root.lenient(true));
    }
    overlays = overlays.fallback(Root::new(Path::new("skills").join("skills")).label("checkout"));
    let registry = overlays.open();
    for finding in registry.snapshot().findings() {
        println!("{finding}");
    }
    registry
}

fn call(registry: &LiveRegistry, session: &mut Session, json: &str) -> OwnedReply {
    registry.reply(|registry| session.call(registry, json).into())
}

fn show(what: &str, reply: &OwnedReply) {
    let lines: Vec<&str> = reply.text.lines().collect();
    println!("--- {what}: {} characters", reply.text.chars().count());
    println!("{}", lines.iter().take(4).copied().collect::<Vec<_>>().join("\n"));
}
