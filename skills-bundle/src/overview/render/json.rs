//! An overview as data for programs: every number of the page, nothing shortened, and no text changed.

use serde_json::{Value, json};
use skills_pack::text::Hex;
use skills_source::code::Level;
use skills_source::finding::Finding;

use crate::diff::Sign;
use crate::lock::LockedSkill;
use crate::overview::{Catalogue, FileRow, Group, KINDS, Overview, Row, Totals, groups, matrix};
use crate::render::finding_json;

/// `{"root", "program", "totals", "skills", "findings", "inventories", "tools", "catalogue"}`; docs/report.md has all of
/// it.
pub fn json(overview: &Overview) -> Value {
    let findings = overview.findings_of_skills();
    let skills: Vec<Value> =
        overview.skills.iter().zip(&findings).map(|(row, findings)| skill(row, findings)).collect();
    let inventories: serde_json::Map<String, Value> = KINDS
        .into_iter()
        .map(|kind| {
            let groups = groups(overview, kind);
            (kind.name().to_owned(), groups.iter().map(|group| inventory(overview, group)).collect())
        })
        .collect();
    json!({
        "root": overview.root,
        "program": overview.is_program,
        "totals": totals(overview, &overview.totals()),
        "skills": skills,
        "findings": overview.findings.iter().map(finding_json).collect::<Vec<_>>(),
        "inventories": inventories,
        "tools": tools(overview),
        "catalogue": overview.catalogue.as_ref().map(catalogue),
    })
}

fn totals(overview: &Overview, totals: &Totals) -> Value {
    let states: serde_json::Map<String, Value> =
        totals.states.iter().map(|(state, count)| ((*state).to_owned(), (*count).into())).collect();
    json!({
        "skills": totals.skills,
        "broken": totals.broken,
        "commands": overview.commands,
        "files": totals.files,
        "bytes": totals.bytes,
        "tokens": {
            "catalogue": totals.catalogue_tokens,
            "body": totals.body_tokens,
            "files": totals.file_tokens,
        },
        "denied": totals.denied,
        "warned": totals.warned,
        "states": states,
        "not_reviewed": totals.not_reviewed,
    })
}

fn skill(row: &Row, findings: &[&Finding]) -> Value {
    let frontmatter = row.fields().map(|fields| {
        let of = |(key, value): &(String, String)| json!({ "key": key, "value": value });
        fields.entries.iter().map(of).collect::<Vec<_>>()
    });
    let differing = row.differing.iter().map(|(path, state)| json!({ "path": path, "state": state.words() }));
    json!({
        "name": row.name,
        "dir": row.dir,
        "description": row.field("description"),
        "license": row.license(),
        "state": row.state.words(),
        "differing": differing.collect::<Vec<_>>(),
        "source": row.locked.as_ref().map(source),
        "reviewed_by": row.reviewed_by,
        "digest": row.digest.map(|digest| digest.to_string()),
        "broken": findings.iter().any(|finding| finding.level == Level::Deny),
        "model_may_call": row.fields().map(|fields| fields.model_may_call),
        "user_may_call": row.fields().map(|fields| fields.user_may_call),
        "allowed_tools": row.fields().map(|fields| &fields.tools),
        "frontmatter": frontmatter,
        "bytes": row.bytes(),
        "tokens": {
            "catalogue": row.inventory.catalogue_tokens,
            "body": row.inventory.body_tokens,
            "files": row.inventory.file_tokens,
        },
        "files": row.files.iter().map(file).collect::<Vec<_>>(),
        "findings": findings.iter().map(|finding| finding_json(finding)).collect::<Vec<_>>(),
        "signs": row.inventory.signs.iter().map(sign).collect::<Vec<_>>(),
    })
}

fn source(locked: &LockedSkill) -> Value {
    json!({
        "source": locked.source,
        "url": locked.url,
        "path": locked.path,
        "ref": locked.reference,
        "commit": locked.commit,
        "digest": locked.digest.to_string(),
    })
}

fn file(file: &FileRow) -> Value {
    json!({
        "path": file.path,
        "size": file.size,
        "executable": file.executable,
        "sha256": file.sha256.map(|sha256| Hex(&sha256).to_string()),
    })
}

fn sign(sign: &Sign) -> Value {
    let Sign { kind, group, path, line, what, text, more } = sign;
    json!({
        "kind": kind.name(),
        "group": group,
        "path": path,
        "line": line,
        "what": what,
        "text": text,
        "more": more,
    })
}

fn inventory(overview: &Overview, group: &Group) -> Value {
    let skills =
        group.skills.iter().map(|(at, places)| json!({ "dir": dir(overview, *at), "places": places }));
    json!({ "name": group.name, "notes": group.notes, "skills": skills.collect::<Vec<_>>() })
}

fn tools(overview: &Overview) -> Value {
    let matrix = matrix(overview);
    let tools = matrix.tools.iter().map(|tool| {
        let skills =
            tool.skills.iter().map(|(at, limits)| json!({ "dir": dir(overview, *at), "limits": limits }));
        json!({ "name": tool.name, "skills": skills.collect::<Vec<_>>() })
    });
    tools.collect()
}

fn dir(overview: &Overview, at: usize) -> &str {
    overview.skills.get(at).map_or("", |row| &row.dir)
}

fn catalogue(catalogue: &Catalogue) -> Value {
    let Catalogue { text, full, shortened, left_out } = catalogue;
    json!({
        "text": text,
        "characters": text.chars().count(),
        "full": full,
        "shortened": shortened,
        "left_out": left_out,
    })
}
