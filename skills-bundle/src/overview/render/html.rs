//! An overview as one page for a browser: nothing is loaded from anywhere, and all of it can be read without scripts.
//!
//! Every byte of a skill is hostile here. It gets into the page through `escape` alone, as text or as a value of an
//! attribute, never into the style, the script or an address. The page's policy permits its one style and its one
//! script by their digests, and nothing else.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::Hash as Sha256;
use skills_pack::text::counted;

use crate::overview::{Overview, Totals};

mod escape;
mod sections;
mod skills;
mod treemap;

use escape::{Block, Line, Plain};

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// The page. Equal overviews give equal bytes.
pub fn html(overview: &Overview) -> String {
    let totals = overview.totals();
    let mut page = String::new();
    head(overview, &totals, &mut page);
    page.push_str("<main id=\"main\">\n");
    sections::findings(overview, &mut page);
    skills::list(overview, &mut page);
    sections::inventories(overview, &mut page);
    sections::tools(overview, &mut page);
    sections::sizes(overview, &totals, &mut page);
    catalogue(overview, &mut page);
    sections::rules(overview, &mut page);
    page.push_str("</main>\n<footer>Made by <code>skills report</code>. Nothing here says that a skill is safe: it says what is in it.</footer>\n");
    let _ = write!(page, "<script>{SCRIPT}</script>\n</body>\n</html>\n");
    page
}

fn head(overview: &Overview, totals: &Totals, page: &mut String) {
    let digest = |text: &str| STANDARD.encode(Sha256::hash(text.as_bytes()));
    let what = if overview.is_program { "the lock in the program" } else { "the directory" };
    // Writing into a string doesn't fail.
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>Skills of {title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<a class=\"skip\" href=\"#main\">To the contents</a>\n<h1>Skills of {root}</h1>\n<p class=\"s\">{}, all of it from {what} <code>{root}</code></p>\n",
        digest(STYLE),
        digest(SCRIPT),
        counted(totals.skills, "skill"),
        root = Line(&overview.root),
        title = Plain(&overview.root),
    );
    page.push_str("<nav aria-label=\"Parts of this page\">\n");
    for (id, title) in sections::PARTS {
        if sections::is_shown(overview, id) {
            let _ = writeln!(page, "<a href=\"#{id}\">{title}</a>");
        }
    }
    page.push_str("</nav>\n<ul class=\"cards\">\n");
    cards(overview, totals, page);
    page.push_str("</ul>\n</header>\n");
}

fn cards(overview: &Overview, totals: &Totals, page: &mut String) {
    let mut card = |class: &str, number: String, what: &str| {
        let _ = writeln!(page, "<li class=\"{class}\"><b>{number}</b>{what}</li>");
    };
    card("", totals.skills.to_string(), if totals.skills == 1 { "skill" } else { "skills" });
    if totals.broken > 0 {
        card("bad", totals.broken.to_string(), "with errors");
    }
    if overview.commands > 0 {
        card("", overview.commands.to_string(), "slash commands");
    }
    if !overview.is_program {
        card(if totals.denied > 0 { "bad" } else { "" }, totals.denied.to_string(), "errors");
        card(if totals.warned > 0 { "warn" } else { "" }, totals.warned.to_string(), "warnings");
    }
    for (state, count) in &totals.states {
        let is_bad = overview.skills.iter().any(|row| row.state.words() == *state && row.state.is_bad());
        let what = if *state == "ok" { "as locked" } else { state };
        card(if is_bad { "bad" } else { "" }, count.to_string(), what);
    }
    if overview.skills.iter().any(|row| row.reviewed_by.is_some()) {
        card(
            if totals.not_reviewed > 0 { "warn" } else { "" },
            totals.not_reviewed.to_string(),
            "not reviewed",
        );
    }
    card("", sections::number(totals.files as u64), if totals.files == 1 { "file" } else { "files" });
    card("", sections::bytes(totals.bytes), "in all");
    if !overview.is_program {
        card("", sections::number(totals.catalogue_tokens), "tokens of names and descriptions");
    }
}

fn catalogue(overview: &Overview, page: &mut String) {
    let Some(catalogue) = &overview.catalogue else { return };
    let shown = catalogue.full + catalogue.shortened;
    let left_out = match catalogue.left_out {
        0 => String::new(),
        1 => "; <strong>1 doesn’t fit</strong>".to_owned(),
        many => format!("; <strong>{many} don’t fit</strong>"),
    };
    let _ = write!(
        page,
        "<section aria-labelledby=\"catalogue\">\n<h2 id=\"catalogue\">What a model sees of them</h2>\n\
         <p>The list for a system prompt: {} in {} characters{left_out}. A skill that is broken, or that a model may not call, isn’t in it.</p>\n\
         <pre tabindex=\"0\">{}</pre>\n</section>\n",
        counted(shown, "skill"),
        sections::number(catalogue.text.chars().count() as u64),
        Block(&catalogue.text),
    );
}
