//! The slash commands of the pipeline: those of each root, and which of two with one name is served.
//!
//! One command is read by `skills_source::command`; skills are the matter of
//! [`compile`](crate::compile).

use std::collections::BTreeMap;
use std::path::PathBuf;

use skills_pack::{FieldValue, Pack};
use skills_source::code::{Code, Level};
use skills_source::command::{self, CommandText};
use skills_source::parallel;
use skills_source::root::judge_commands;
use skills_source::rules::Rules;
use skills_source::scan::{self, CommandFiles, FoundFile, Scan, ScanOptions};

use crate::config::Config;
use crate::hidden::{Named, hidden};
use crate::report::Report;
use crate::roots::{label, outside_package, pack_path};
use crate::rules as beside;

/// A command without a finding at deny.
pub(crate) struct GoodCommand {
    pub(crate) text: CommandText,
    /// Its definition, as it is shown in the pack.
    pub(crate) pack_path: String,
    /// The name, with its slash.
    called: String,
    /// The root, as it is shown.
    root: String,
    /// Where its definition is, with every link resolved.
    disk: PathBuf,
}

impl GoodCommand {
    fn named(&self) -> Named<'_> {
        let place = self.text.name_place.clone();
        Named { name: &self.called, place, root: &self.root, pack_path: &self.pack_path }
    }
}

/// Reads and judges the roots that hold commands alone.
pub(crate) fn judge_roots(
    config: &Config,
    rules: &Rules,
    options: &ScanOptions,
    served: &mut BTreeMap<String, GoodCommand>,
    report: &mut Report,
) {
    for root in &config.command_roots {
        let label = label(root);
        let Scan { findings, left_out, commands, .. } =
            scan::scan_commands(&config.on_disk(root), &label, options, &scan::list);
        report.findings.extend(findings);
        report.findings.extend(rules.apply(outside_package(config, root, &label)));
        report.left_out.extend(left_out);
        report.commands += commands.definitions.len();
        judge_root(config, rules, &label, &commands, served, report);
    }
}

/// Reads and judges the commands of one root, and adds those to be served that no earlier root hides.
pub(crate) fn judge_root(
    config: &Config,
    rules: &Rules,
    label: &str,
    files: &CommandFiles,
    served: &mut BTreeMap<String, GoodCommand>,
    report: &mut Report,
) {
    let read = parallel::map(&files.definitions, |file| {
        let (text, mut found) = command::read_file_with(files, file, rules, |file| config.texts.read(file));
        if rules.is_on(Code::L111) {
            beside::hide_secrets(&mut found);
            let is_named = |other: &&FoundFile| {
                text.as_ref().is_some_and(|text| files.shown(&other.path) == text.template_path)
            };
            for file in std::iter::once(file).chain(files.templates.iter().find(is_named)) {
                // A file that cannot be read was reported with the command.
                let bytes = config.texts.read(file).unwrap_or_default();
                found.extend(rules.apply(beside::secrets(|| files.shown(&file.path), &bytes)));
            }
        }
        (text, found)
    });
    let good = judge_commands(read, &mut report.findings, |finding| finding.level == Level::Deny);
    for (number, text) in good {
        let pack_path = pack_path(config, label, &files.shown(&files.definitions[number].path), "");
        let disk = files.definitions[number].disk.clone();
        let (called, root) = (format!("/{}", text.name), label.to_owned());
        let good = GoodCommand { text, pack_path, called, root, disk };
        match served.get(&good.text.name) {
            // Two roots show the very same command.
            Some(first) if first.disk == good.disk => {}
            Some(first) => {
                let (record, finding) = hidden(good.named(), first.named());
                report.shadowed.push(record);
                report.findings.extend(rules.apply([finding]));
            }
            None => drop(served.insert(good.text.name.clone(), good)),
        }
    }
}

/// Adds what a pack holds of commands; its place is in the tables.
pub(crate) fn digest(pack: &Pack<'_>, add: &mut impl FnMut(&[u8])) {
    for command in pack.commands() {
        add(command.path().as_bytes());
        add(command.template().as_bytes());
        command.fields().for_each(|(key, value)| {
            add(key.as_bytes());
            match value {
                FieldValue::Text(text) | FieldValue::Json(text) => add(text.as_bytes()),
                FieldValue::List(items) => items.for_each(|item| add(item.as_bytes())),
            }
        });
    }
}
