//! The skills of a page: a row each, which opens to all that is known of it.

use std::collections::HashMap;
use std::fmt::Write as _;

use skills_pack::text::{Hex, counted};
use skills_source::code::Level;
use skills_source::finding::Finding;

use super::escape::{Block, Cut, Line, Plain};
use super::sections::{bytes, finding, kind_title, number};
use crate::diff::Sign;
use crate::lock::LockedSkill;
use crate::overview::{FileRow, KINDS, Overview, Row};

/// The most characters of a line of a skill that are shown where it is only quoted.
const MAX_QUOTED: usize = 300;

pub(super) fn list(overview: &Overview, page: &mut String) {
    page.push_str(
        "<section aria-labelledby=\"skills\">\n<h2 id=\"skills\">Skills</h2>\n\
         <div class=\"tools\" id=\"tools\" hidden>\n<label>Search in everything that is known of a skill<input id=\"find\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\"></label>\n\
         <label>Order<select id=\"sort\"><option value=\"-1\">by directory</option><option value=\"0\">most findings first</option>\
         <option value=\"1\">most tokens first</option><option value=\"2\">most bytes first</option></select></label>\n\
         <p id=\"count\" role=\"status\" class=\"s\"></p>\n</div>\n<div id=\"list\">\n",
    );
    let findings = overview.findings_of_skills();
    for (at, (row, findings)) in overview.skills.iter().zip(&findings).enumerate() {
        skill(overview, at, row, findings, page);
    }
    page.push_str("</div>\n</section>\n");
}

fn skill(overview: &Overview, at: usize, row: &Row, findings: &[&Finding], page: &mut String) {
    // Writing into a string doesn't fail.
    let _ = write!(
        page,
        "<details class=\"k\" id=\"s{at}\" data-n=\"{} {} {}\"><summary><span><b>{}</b> {}</span><span class=\"r s\">",
        findings.len(),
        row.tokens(),
        row.bytes(),
        Line(&row.name),
        badges(row, findings)
    );
    if !overview.is_program {
        let _ = write!(page, "{} tokens · ", number(row.tokens()));
    }
    let _ = write!(page, "{} · {}</span>", bytes(row.bytes()), counted(row.files.len(), "file"));
    if let Some(description) = row.field("description") {
        let _ = write!(page, "<span class=\"d\">{}</span>", Block(description));
    }
    page.push_str("</summary><div class=\"in\">");
    facts(overview, row, page);
    if !findings.is_empty() {
        page.push_str("<h3>Findings</h3><ul class=\"f\">");
        for found in findings {
            finding(found, page);
        }
        page.push_str("</ul>");
    }
    frontmatter(row, page);
    signs(row, page);
    files(row, page);
    page.push_str("</div></details>\n");
}

fn badges(row: &Row, findings: &[&Finding]) -> String {
    let of = |level| findings.iter().filter(|finding| finding.level == level).count();
    let mut badges = String::new();
    let mut badge = |class: &str, text: &str| {
        let _ = write!(badges, " <span class=\"b {class}\">{text}</span>");
    };
    let denied = of(Level::Deny);
    if denied > 0 {
        badge("bad", &counted(denied, "error"));
    }
    let warned = of(Level::Warn);
    if warned > 0 {
        badge("warn", &counted(warned, "warning"));
    }
    if row.locked.is_some() {
        let is_bad = row.state.is_bad();
        let words = if row.state.words() == "ok" { "as locked" } else { row.state.words() };
        badge(if is_bad { "bad" } else { "ok" }, words);
    }
    match &row.reviewed_by {
        Some(who) if who.is_empty() => badge("warn", "not reviewed"),
        Some(_) => badge("ok", "reviewed"),
        None => {}
    }
    badges
}

/// What isn't in its files: where it comes from, and what was made of it.
fn facts(overview: &Overview, row: &Row, page: &mut String) {
    page.push_str("<dl>");
    let mut pair = |key: &str, value: &str| {
        let _ = write!(page, "<dt>{key}</dt><dd>{value}</dd>");
    };
    pair("Directory", &format!("<code>{}</code>", Line(&row.dir)));
    if let Some(locked) = &row.locked {
        pair("Source", &source(locked));
    }
    pair("Lock", row.state.words());
    if !row.differing.is_empty() {
        let files: Vec<String> = row
            .differing
            .iter()
            .map(|(path, state)| format!("<code>{}</code>: {}", Line(path), state.words()))
            .collect();
        pair("Not as locked", &files.join("\n"));
    }
    match &row.reviewed_by {
        Some(who) if who.is_empty() => pair("Reviewed by", "nobody"),
        Some(who) => {
            let who: Vec<String> = who.iter().map(|who| Line(who).to_string()).collect();
            pair("Reviewed by", &who.join(", "));
        }
        None => {}
    }
    if let Some(license) = row.license() {
        pair("Licence", &Line(license).to_string());
    }
    match row.digest {
        Some(digest) => pair("Digest", &format!("<span class=\"m\">{digest}</span>")),
        None => pair("Digest", "none: a file can’t be read"),
    }
    if !overview.is_program {
        let inventory = &row.inventory;
        let tokens = [inventory.catalogue_tokens, inventory.body_tokens, inventory.file_tokens].map(number);
        let [catalogue, body, files] = tokens;
        pair(
            "Tokens, about",
            &format!(
                "{catalogue} for its name and description, {body} when it is loaded, {files} in other files"
            ),
        );
    }
    page.push_str("</dl>");
}

/// Where it comes from, with a link to the commit at a place that is known.
fn source(locked: &LockedSkill) -> String {
    let mut text = format!("<code>{}</code>", Line(&locked.source));
    if let Some(reference) = &locked.reference {
        let _ = write!(text, " <code>{}</code>", Line(reference));
    }
    let Some(commit) = &locked.commit else { return text };
    match commit_url(locked) {
        Some(url) => {
            let _ =
                write!(text, " <a href=\"{}\" rel=\"noreferrer noopener\">{}</a>", Plain(&url), Line(commit));
        }
        None => {
            let _ = write!(text, " <code>{}</code>", Line(commit));
        }
    }
    text
}

/// The page of a commit. Only letters that can't end an address are taken.
fn commit_url(locked: &LockedSkill) -> Option<String> {
    let (url, commit) = (locked.url.as_deref()?, locked.commit.as_deref()?);
    let is_hex = !commit.is_empty() && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    let repository = url.strip_suffix(".git").unwrap_or(url);
    let tree = [("https://github.com/", "tree"), ("https://gitlab.com/", "-/tree")]
        .iter()
        .find_map(|(host, tree)| repository.starts_with(host).then_some(tree))?;
    let url = match locked.path.as_deref().filter(|path| !path.is_empty()) {
        Some(path) => format!("{repository}/{tree}/{commit}/{path}"),
        None => format!("{repository}/{tree}/{commit}"),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ":/-._~".contains(c);
    (is_hex && url.chars().all(is_plain)).then_some(url)
}

fn frontmatter(row: &Row, page: &mut String) {
    let Some(fields) = row.fields() else { return };
    page.push_str("<h3>Frontmatter</h3><dl>");
    for (key, value) in &fields.entries {
        let _ = write!(page, "<dt>{}</dt><dd>{}</dd>", Line(key), Block(value));
    }
    page.push_str("</dl>");
    let hidden_from = match (fields.model_may_call, fields.user_may_call) {
        (true, true) => return,
        (false, true) => "A model may not call it.",
        (true, false) => "A user may not call it.",
        (false, false) => "Neither a model nor a user may call it.",
    };
    let _ = write!(page, "<p>{hidden_from}</p>");
}

fn signs(row: &Row, page: &mut String) {
    for kind in KINDS {
        let signs: Vec<&Sign> = row.signs(kind).collect();
        if signs.is_empty() {
            continue;
        }
        let _ = write!(page, "<h3>{}</h3>", kind_title(kind));
        // What is said of several lines of a file is said once, and each line is one of a block: elements for each
        // would be most of the page.
        let mut at = 0;
        let mut order: HashMap<(&str, &str), usize> = HashMap::new();
        let mut blocks: Vec<Vec<&Sign>> = Vec::new();
        for sign in signs {
            let block = *order.entry((&sign.path, &sign.what)).or_insert_with(|| {
                at += 1;
                blocks.push(Vec::new());
                at - 1
            });
            blocks[block].push(sign);
        }
        for block in blocks {
            block_of_signs(&block, page);
        }
    }
}

/// Signs of one file of which the same is to be said.
fn block_of_signs(signs: &[&Sign], page: &mut String) {
    let Some(first) = signs.first() else { return };
    let what =
        if first.what.is_empty() { String::new() } else { format!(" {}", Cut(&first.what, MAX_QUOTED)) };
    let _ = write!(page, "<p><code>{}</code>{what}</p>", Line(&first.path));
    let is_shown = |sign: &&&Sign| sign.line > 0 || sign.text.is_some();
    let mut lines = signs.iter().filter(is_shown).peekable();
    if lines.peek().is_none() {
        return;
    }
    page.push_str("<pre>");
    for sign in lines {
        if sign.line > 0 {
            let _ = write!(page, "{:>4}  ", sign.line);
        }
        if let Some(text) = &sign.text {
            page.push_str(&Cut(text, MAX_QUOTED).to_string());
        }
        if sign.more > 0 {
            let _ = write!(page, " <small>and in {}</small>", counted(sign.more, "more place"));
        }
        page.push('\n');
    }
    page.push_str("</pre>");
}

/// The files as lines of a lock.
fn files(row: &Row, page: &mut String) {
    if row.files.is_empty() {
        return;
    }
    page.push_str("<h3>Files</h3><p class=\"s\">Mode, bytes, SHA-256 and path, as in a lock</p><pre>");
    for FileRow { path, size, executable, sha256 } in &row.files {
        let mode = if *executable { "755" } else { "644" };
        let digest = sha256.map_or_else(|| "can’t-be-read".to_owned(), |sha256| Hex(&sha256).to_string());
        let _ = writeln!(page, "{mode} {size} {digest} {}", Line(path));
    }
    page.push_str("</pre>");
}
