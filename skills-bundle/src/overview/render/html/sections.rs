//! What the skills of a page have in common: findings, inventories, tools, sizes and the rules that were broken.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use skills_pack::text::counted;
use skills_source::code::{Level, RULES};
use skills_source::finding::Finding;

use super::escape::{Cut, Line};
use super::treemap::treemap;
use crate::diff::Kind;
use crate::overview::{Group, KINDS, Matrix, Overview, Row, Totals, groups, matrix};

/// The parts of a page: the anchor of each, and its title.
pub(super) const PARTS: [(&str, &str); 7] = [
    ("findings", "Findings"),
    ("skills", "Skills"),
    ("inventory", "Inventory"),
    ("tools-allowed", "Allowed tools"),
    ("sizes", "Tokens and bytes"),
    ("catalogue", "What a model sees"),
    ("rules", "Rules"),
];

/// The most tools that have a column of their own: a wider table can't be read.
const MAX_COLUMNS: usize = 30;

/// The most skills that are named beside a line of an inventory; more are in one that opens.
const FEW: usize = 6;

/// The most characters of a message, a name or a note.
const MAX_WORDS: usize = 1_000;

/// Whether a page has this part.
pub(super) fn is_shown(overview: &Overview, part: &str) -> bool {
    match part {
        "skills" | "sizes" => true,
        "rules" => !overview.findings.is_empty(),
        "catalogue" => overview.catalogue.is_some(),
        _ => !overview.is_program,
    }
}

/// A number with thin spaces between its thousands.
pub(super) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + 8);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A length in the unit that suits it; the exact one is beside each file.
pub(super) fn bytes(bytes: u64) -> String {
    const UNITS: [(u64, &str); 4] =
        [(1_000, "kB"), (1_000_000, "MB"), (1_000_000_000, "GB"), (1_000_000_000_000, "TB")];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let tenths = |unit: u64| bytes.saturating_add(unit / 20) / (unit / 10);
    let suits = UNITS.iter().find(|(unit, _)| tenths(*unit) < 10_000);
    let (unit, name) = suits.unwrap_or(&(1_000_000_000_000, "TB"));
    format!("{}.{} {name}", tenths(*unit) / 10, tenths(*unit) % 10)
}

/// What an inventory is of.
pub(super) fn kind_title(kind: Kind) -> &'static str {
    match kind {
        Kind::Hosts => "Hosts",
        Kind::Commands => "Commands",
        Kind::Packages => "Packages",
        Kind::Access => "Secrets, environment, instructions and settings",
        other => other.title(),
    }
}

pub(super) fn finding(finding: &Finding, page: &mut String) {
    let (class, badge) = if finding.level == Level::Deny { ("e", "bad") } else { ("", "warn") };
    // Writing into a string doesn't fail.
    let _ = write!(
        page,
        "<li class=\"{class}\"><a class=\"b {badge}\" href=\"#{0}\">{0}</a> {1} <span class=\"m s\">{2}:{3}:{4}</span>",
        finding.code.as_str(),
        Cut(&finding.message, MAX_WORDS),
        Line(&finding.path),
        finding.line,
        finding.column,
    );
    if !finding.help.is_empty() {
        let _ = write!(page, "<br><span class=\"s\">{}</span>", Cut(&finding.help, MAX_WORDS));
    }
    page.push_str("</li>\n");
}

/// How often each rule is broken, errors first, and what belongs to no skill.
pub(super) fn findings(overview: &Overview, page: &mut String) {
    if overview.is_program {
        return;
    }
    page.push_str("<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">Findings</h2>\n");
    if overview.findings.is_empty() {
        page.push_str("<p>None.</p>\n");
    }
    let of_skills = overview.findings_of_skills();
    for level in [Level::Deny, Level::Warn] {
        let codes: BTreeSet<&str> = overview
            .findings
            .iter()
            .filter(|finding| finding.level == level)
            .map(|finding| finding.code.as_str())
            .collect();
        for code in codes {
            group_of_findings(overview, &of_skills, level, code, page);
        }
    }
    let known: BTreeSet<*const Finding> =
        of_skills.iter().flatten().map(|finding| std::ptr::from_ref(*finding)).collect();
    let mut others =
        overview.findings.iter().filter(|finding| !known.contains(&std::ptr::from_ref(*finding))).peekable();
    if others.peek().is_some() {
        page.push_str("<h3>Of no single skill</h3>\n<ul class=\"f\">\n");
        others.for_each(|found| finding(found, page));
        page.push_str("</ul>\n");
    }
    page.push_str("</section>\n");
}

fn group_of_findings(
    overview: &Overview,
    of_skills: &[Vec<&Finding>],
    level: Level,
    code: &str,
    page: &mut String,
) {
    let is_it = |finding: &&&Finding| finding.level == level && finding.code.as_str() == code;
    let skills: Vec<(usize, usize)> = of_skills
        .iter()
        .map(|findings| findings.iter().filter(is_it).count())
        .enumerate()
        .filter(|(_, count)| *count > 0)
        .collect();
    let all = overview
        .findings
        .iter()
        .filter(|finding| finding.level == level && finding.code.as_str() == code)
        .count();
    let (badge, word) = if level == Level::Deny { ("bad", "error") } else { ("warn", "warning") };
    let rule = RULES.iter().find(|rule| rule.code.as_str() == code);
    let _ = write!(
        page,
        "<details class=\"g\"><summary><span class=\"b {badge}\">{code}</span> {} <span class=\"s\">{} in {}</span></summary>\n<p><a href=\"#{code}\">About this rule</a>. In ",
        rule.map_or_else(String::new, |rule| Line(rule.summary).to_string()),
        counted(all, word),
        counted(skills.len(), "skill"),
    );
    links(overview, &skills, page);
    page.push_str("</p></details>\n");
}

/// Links to skills, each with a count where it is more than one.
fn links(overview: &Overview, skills: &[(usize, usize)], page: &mut String) {
    for (nth, (at, count)) in skills.iter().enumerate() {
        if nth > 0 {
            page.push_str(", ");
        }
        let name = overview.skills.get(*at).map_or("", |row| &row.name);
        let _ = write!(page, "<a href=\"#s{at}\">{}</a>", Line(name));
        if *count > 1 {
            let _ = write!(page, "\u{a0}×{count}");
        }
    }
}

pub(super) fn inventories(overview: &Overview, page: &mut String) {
    if overview.is_program {
        return;
    }
    page.push_str("<section aria-labelledby=\"inventory\">\n<h2 id=\"inventory\">Inventory</h2>\n<p>What the texts of the skills name, and which skill does. The places are in each skill.</p>\n");
    for kind in KINDS {
        let groups = groups(overview, kind);
        let _ = writeln!(page, "<h3>{} ({})</h3>", kind_title(kind), groups.len());
        if groups.is_empty() {
            page.push_str("<p class=\"s\">None.</p>\n");
        }
        for group in &groups {
            inventory(overview, group, page);
        }
    }
    page.push_str("</section>\n");
}

/// A line, or one that opens where many skills have it.
fn inventory(overview: &Overview, group: &Group, page: &mut String) {
    let is_long = group.skills.len() > FEW;
    let name = Cut(&group.name, MAX_WORDS);
    if is_long {
        let skills = counted(group.skills.len(), "skill");
        let _ = write!(
            page,
            "<details class=\"g\"><summary><code>{name}</code> <small>{skills}</small></summary>"
        );
    } else {
        let _ = write!(page, "<div class=\"g\"><code>{name}</code> ");
    }
    links(overview, &group.skills, page);
    if group.notes.iter().any(|note| !note.starts_with("a command")) {
        let notes: Vec<String> = group.notes.iter().map(|note| Cut(note, MAX_WORDS).to_string()).collect();
        let _ = write!(page, "<br><small>{}</small>", notes.join("; "));
    }
    page.push_str(if is_long { "</details>\n" } else { "</div>\n" });
}

pub(super) fn tools(overview: &Overview, page: &mut String) {
    if overview.is_program {
        return;
    }
    let matrix = matrix(overview);
    page.push_str(
        "<section aria-labelledby=\"tools-allowed\">\n<h2 id=\"tools-allowed\">Allowed tools</h2>\n",
    );
    let without = overview.skills.len() - matrix.skills.len();
    let names = if without == 1 {
        "1 skill names no tool".to_owned()
    } else {
        format!("{without} skills name no tools")
    };
    let _ = writeln!(
        page,
        "<p>What a skill names under <code>allowed-tools</code>, and within which limits. {names}.</p>"
    );
    if !matrix.skills.is_empty() {
        table(overview, &matrix, page);
    }
    page.push_str("</section>\n");
}

fn table(overview: &Overview, matrix: &Matrix, page: &mut String) {
    let (columns, others) = matrix.tools.split_at(matrix.tools.len().min(MAX_COLUMNS));
    page.push_str("<div class=\"w x\" tabindex=\"0\" role=\"region\" aria-label=\"Allowed tools\"><table><thead><tr><th>Skill");
    for tool in columns {
        let _ = write!(page, "<th>{} <small>{}</small>", Cut(&tool.name, MAX_WORDS), tool.skills.len());
    }
    if !others.is_empty() {
        page.push_str("<th>Others");
    }
    page.push_str("</thead><tbody>\n");
    for at in &matrix.skills {
        let name = overview.skills.get(*at).map_or("", |row| &row.name);
        let _ = write!(page, "<tr><th scope=\"row\"><a href=\"#s{at}\">{}</a>", Line(name));
        for tool in columns {
            match tool.skills.get(at) {
                None => page.push_str("<td>"),
                Some(limits) if limits.is_empty() => page.push_str("<td>yes"),
                Some(limits) => {
                    let _ = write!(page, "<td class=\"m\">{}", Cut(&limits.join(", "), MAX_WORDS));
                }
            }
        }
        if !others.is_empty() {
            let named: Vec<&str> = others
                .iter()
                .filter(|tool| tool.skills.contains_key(at))
                .map(|tool| tool.name.as_str())
                .collect();
            let _ = write!(page, "<td>{}", Line(&named.join(", ")));
        }
        page.push('\n');
    }
    page.push_str("</tbody></table></div>\n");
}

pub(super) fn sizes(overview: &Overview, totals: &Totals, page: &mut String) {
    page.push_str("<section aria-labelledby=\"sizes\">\n<h2 id=\"sizes\">Tokens and bytes</h2>\n");
    if !overview.is_program {
        let [catalogue, body, files] =
            [totals.catalogue_tokens, totals.body_tokens, totals.file_tokens].map(number);
        let _ = writeln!(
            page,
            "<p>Names and descriptions have about {catalogue} tokens, {body} are sent if every skill is loaded, and {files} more if every other file is read. A token is taken for four bytes.</p>"
        );
        picture(
            overview,
            "Tokens that a model may be sent",
            |row| (row.tokens(), format!("{} tokens", number(row.tokens()))),
            page,
        );
    }
    picture(overview, "Bytes on disk", |row| (row.bytes(), bytes(row.bytes())), page);
    page.push_str("</section>\n");
}

fn picture(overview: &Overview, title: &str, size: impl Fn(&Row) -> (u64, String), page: &mut String) {
    let shares: Vec<(&str, String, u64)> = overview
        .skills
        .iter()
        .map(|row| {
            let (size, words) = size(row);
            (row.name.as_str(), words, size)
        })
        .collect();
    let _ = write!(page, "<figure><figcaption>{title}</figcaption>\n{}</figure>\n", treemap(title, &shares));
}

/// The rules that were broken, in their own words.
pub(super) fn rules(overview: &Overview, page: &mut String) {
    let codes: BTreeSet<&str> = overview.findings.iter().map(|finding| finding.code.as_str()).collect();
    if codes.is_empty() {
        return;
    }
    page.push_str("<section aria-labelledby=\"rules\">\n<h2 id=\"rules\">Rules</h2>\n<dl>\n");
    for rule in RULES.iter().filter(|rule| codes.contains(rule.code.as_str())) {
        let _ = writeln!(
            page,
            "<dt id=\"{0}\"><b>{0}</b> {1}</dt><dd>{2}. {3}</dd>",
            rule.code.as_str(),
            Line(rule.name),
            Line(rule.summary),
            Line(rule.why),
        );
    }
    page.push_str("</dl>\n</section>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        for (given, expected) in
            [(7, "7"), (999, "999"), (1_000, "1\u{202f}000"), (12_345_678, "12\u{202f}345\u{202f}678")]
        {
            assert_eq!(number(given), expected);
        }
        for (given, expected) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (1_949, "1.9 kB"),
            (1_950, "2.0 kB"),
            (999_949, "999.9 kB"),
            (999_950, "1.0 MB"),
            (u64::MAX, "18446744.0 TB"),
        ] {
            assert_eq!(bytes(given), expected);
        }
    }
}
