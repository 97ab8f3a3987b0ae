//! What to compile, and how to judge it.

use std::panic::Location;
use std::path::{Path, PathBuf};

use skills_source::code::{Code, Level};
use skills_source::finding::Finding;
use skills_source::rules::{Profile, Rules};
use skills_source::scan::{MAX_LIVE_DEPTH, ScanOptions};
use skills_source::writer::SearchIndex;

use crate::levels::level_of;
use crate::texts::Texts;
use crate::{lock, manifest};

/// What to compile, and how to judge it.
///
/// ```
/// use skills_bundle::Config;
///
/// let config = Config::new("skills").ignore("drafts").unicode_names(true);
/// ```
#[derive(Debug, Clone)]
pub struct Config {
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) command_roots: Vec<PathBuf>,
    pub(crate) base: Option<PathBuf>,
    pub(crate) package: Option<PathBuf>,
    pub(crate) paths_as_given: bool,
    pub(crate) within_live_limits: bool,
    #[cfg(feature = "check")]
    pub(crate) published: Vec<crate::published::Published>,
    pub(crate) scan: ScanOptions,
    pub(crate) search: SearchIndex,
    pub(crate) texts: Texts,
    profile: Option<Profile>,
    levels: Vec<(Code, Level)>,
    unicode_names: Option<bool>,
    nested: Option<bool>,
    max_skill_bytes: Option<u64>,
    max_frontmatter_bytes: Option<usize>,
    cargo_settings: Option<PathBuf>,
    pub(crate) debug_assertions: bool,
    findings: Vec<Finding>,
}

/// What is in force once everything that was set is put together.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) rules: Rules,
    pub(crate) scan: ScanOptions,
    /// What is wrong with what was set.
    pub(crate) findings: Vec<Finding>,
    /// The files that were read for it, and the lock.
    pub(crate) files: Vec<PathBuf>,
    /// The lock that is in force.
    pub(crate) lock: Option<PathBuf>,
    /// Whether a skill that differs from the lock is an error only where debug assertions are off.
    pub(crate) lock_denies_in_release: bool,
}

impl Config {
    /// Compiles the skills under `root`: a directory of skills, at any depth, or one skill itself. Slash
    /// commands between them come along.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            roots: vec![root.into()],
            command_roots: Vec::new(),
            base: None,
            package: None,
            paths_as_given: false,
            within_live_limits: false,
            #[cfg(feature = "check")]
            published: Vec::new(),
            scan: ScanOptions::default(),
            search: SearchIndex::default(),
            texts: Texts::default(),
            profile: None,
            levels: Vec::new(),
            unicode_names: None,
            nested: None,
            max_skill_bytes: None,
            max_frontmatter_bytes: None,
            cargo_settings: None,
            debug_assertions: false,
            findings: Vec::new(),
        }
    }

    /// Adds a root. For one name the earlier root wins, and the report says so.
    #[must_use]
    pub fn root(mut self, root: impl Into<PathBuf>) -> Self {
        self.roots.push(root.into());
        self
    }

    /// Compiles the slash commands under `root` too, at any depth: each is a `NAME.command.yaml` and the
    /// template that it names. For one name the earlier root wins, roots of skills before these, and the
    /// report says so.
    ///
    /// Commands under a root of skills, outside of a skill, are compiled without this.
    #[must_use]
    pub fn commands(mut self, root: impl Into<PathBuf>) -> Self {
        self.command_roots.push(root.into());
        self
    }

    /// The directory that relative roots are relative to, instead of the working directory.
    #[must_use]
    pub fn base(mut self, base: impl Into<PathBuf>) -> Self {
        self.base = Some(base.into());
        self
    }

    /// The package that is built: a root outside it is reported (L116).
    #[must_use]
    pub fn package(mut self, package: impl Into<PathBuf>) -> Self {
        self.package = Some(package.into());
        self
    }

    /// Shows every skill under its root as the root was given, absolute or not, instead of keeping
    /// what is above the root out of the pack. For packs that stay on this machine.
    #[must_use]
    pub fn paths_as_given(mut self, yes: bool) -> Self {
        self.paths_as_given = yes;
        self
    }

    /// Reports (E018) what is beyond the limits of a root that is read at run time: 16 levels, 10,000 skills,
    /// files of 64 MiB. A check does this, since skills that pass it may be served either way.
    #[must_use]
    pub fn within_live_limits(mut self, yes: bool) -> Self {
        self.within_live_limits = yes;
        self
    }

    /// Reports (L128) the files of skills that a published package would lack.
    #[cfg(feature = "check")]
    #[must_use]
    pub fn published(mut self, published: crate::published::Published) -> Self {
        self.published.push(published);
        self
    }

    /// Leaves out what matches a pattern; see [`ScanOptions::ignore`] for its form.
    #[must_use]
    pub fn ignore(mut self, pattern: impl Into<String>) -> Self {
        self.scan.ignore.push(pattern.into());
        self
    }

    /// Keeps a directory that would be left out: `evals` in a skill, which has its tests. There is no other that can
    /// be kept.
    #[must_use]
    #[track_caller]
    pub fn keep(mut self, name: &str) -> Self {
        match manifest::kept(name) {
            Ok(()) => self.scan.keep_evals = true,
            Err((message, help)) => self.report_call(message, help),
        }
        self
    }

    /// Makes a SKILL.md inside a skill another skill, instead of a file of the outer one.
    #[must_use]
    pub fn nested(mut self, yes: bool) -> Self {
        self.nested = Some(yes);
        self
    }

    /// How much is made for search and put into the program: everything unless set.
    ///
    /// What is left out costs nothing, neither in the build nor in the program; `docs/search.md` has the
    /// numbers.
    #[must_use]
    pub fn search(mut self, index: SearchIndex) -> Self {
        self.search = index;
        self
    }

    /// Allows every lower-case letter and digit in names, not only `a-z` and `0-9`.
    #[must_use]
    pub fn unicode_names(mut self, yes: bool) -> Self {
        self.unicode_names = Some(yes);
        self
    }

    /// The most bytes of a SKILL.md; 1 MiB unless set.
    #[must_use]
    pub fn max_skill_bytes(mut self, bytes: u64) -> Self {
        self.max_skill_bytes = Some(bytes);
        self
    }

    /// The most bytes of a frontmatter; 16 KiB unless set.
    #[must_use]
    pub fn max_frontmatter_bytes(mut self, bytes: usize) -> Self {
        self.max_frontmatter_bytes = Some(bytes);
        self
    }

    /// Judges by a profile: a named set of levels. It is [`Profile::Default`] unless set; levels that
    /// are set come on top, whether before or after.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = Some(profile);
        self
    }

    /// Takes what `directory`'s package and workspace set for skills in their Cargo.toml, which is
    /// looked for in `directory` and above it. What is set here comes on top.
    ///
    /// The settings are in `[package.metadata.skills]`, those of all packages in
    /// `[workspace.metadata.skills]`:
    ///
    /// ```toml
    /// [package.metadata.skills]
    /// profile = "claude"              # default, claude or standard
    /// deny = ["name-not-directory"]   # rules by code or name
    /// warn = ["L101"]
    /// allow = ["L104"]
    /// ignore = ["drafts/"]            # patterns, as for `ignore`
    /// keep = ["evals"]                # the tests of skills are compiled in too
    /// unicode-names = true
    /// nested = true                   # a SKILL.md inside a skill is a skill too
    /// ```
    ///
    /// The skills are compared with `skill-sources.lock` too, if there is one in `directory` or above it, up to
    /// the workspace's Cargo.toml.
    ///
    /// A build script and the macros do this for the package that they build.
    #[must_use]
    pub fn cargo_settings(mut self, directory: impl Into<PathBuf>) -> Self {
        self.cargo_settings = Some(directory.into());
        self
    }

    /// Says that what is compiled has debug assertions: a skill that differs from the lock (E024) is then a
    /// warning, unless that level is set. A build script does this by the profile.
    #[must_use]
    pub fn debug_assertions(mut self, yes: bool) -> Self {
        self.debug_assertions = yes;
        self
    }

    /// Reports this rule as an error. `rule` is a code, such as `L103`, or a name.
    #[must_use]
    #[track_caller]
    pub fn deny(self, rule: &str) -> Self {
        self.level(rule, Level::Deny)
    }

    /// Reports this rule as a warning. `rule` is a code, such as `L103`, or a name.
    #[must_use]
    #[track_caller]
    pub fn warn(self, rule: &str) -> Self {
        self.level(rule, Level::Warn)
    }

    /// Does not report this rule. `rule` is a code, such as `L103`, or a name.
    #[must_use]
    #[track_caller]
    pub fn allow(self, rule: &str) -> Self {
        self.level(rule, Level::Allow)
    }

    /// A rule that does not exist, or whose level is fixed, is kept to be reported with the findings,
    /// at the place of the call.
    #[track_caller]
    fn level(mut self, rule: &str, level: Level) -> Self {
        match level_of(rule, level) {
            Ok(code) => self.levels.push((code, level)),
            Err((message, help)) => self.report_call(message, help),
        }
        self
    }

    /// Takes `text` for the content of the file at `path`, saved or not: a SKILL.md, a command's definition or
    /// template, or a Cargo.toml. A relative path is relative to the working directory.
    ///
    /// The file need not exist, but its directory has to.
    #[must_use]
    pub fn text(mut self, path: impl AsRef<Path>, text: impl Into<Vec<u8>>) -> Self {
        self.texts.set(path.as_ref(), text.into());
        self
    }

    /// What is wrong with the settings: those in a Cargo.toml, and calls with rules that don't exist. No skill is
    /// read.
    pub fn check_settings(&self) -> Vec<Finding> {
        self.settings().findings
    }

    /// Whether a SKILL.md inside a skill makes another skill, by a call or by the settings in Cargo.toml.
    pub fn is_nested(&self) -> bool {
        self.settings().scan.nested
    }

    /// Keeps what is wrong with a call, to be reported at its place.
    #[track_caller]
    fn report_call(&mut self, message: String, help: String) {
        let caller = Location::caller();
        let file = caller.file().replace('\\', "/");
        let mut finding = Finding::on_path(Code::E019, file, message, help);
        (finding.line, finding.column) = (caller.line(), caller.column());
        self.findings.push(finding);
    }

    /// Puts together what is set here, in Cargo.toml and by the profile.
    pub(crate) fn settings(&self) -> Settings {
        let seen_from = self.base.as_deref().unwrap_or(Path::new("."));
        let cargo =
            self.cargo_settings.as_deref().map(|directory| manifest::read(directory, seen_from, &self.texts));
        let cargo = cargo.unwrap_or_default();
        let mut rules = Rules::of(self.profile.or(cargo.profile).unwrap_or_default());
        let set: Vec<(Code, Level)> = cargo.levels.iter().chain(&self.levels).copied().collect();
        let lock_denies_in_release = self.debug_assertions && set.iter().all(|(code, _)| *code != Code::E024);
        let by_profile = lock_denies_in_release.then_some((Code::E024, Level::Warn));
        for (code, level) in by_profile.into_iter().chain(set) {
            // Only levels that can be set were kept.
            let _ = rules.set_level(code, level);
        }
        rules.unicode_names = self.unicode_names.or(cargo.unicode_names).unwrap_or(rules.unicode_names);
        rules.max_skill_bytes = self.max_skill_bytes.unwrap_or(rules.max_skill_bytes);
        rules.max_frontmatter_bytes = self.max_frontmatter_bytes.unwrap_or(rules.max_frontmatter_bytes);
        let mut scan = self.scan.clone();
        scan.unsaved = self.texts.places();
        scan.ignore.extend(cargo.ignore);
        scan.keep_evals |= cargo.keep_evals;
        if self.within_live_limits {
            scan.max_depth = scan.max_depth.or(Some(MAX_LIVE_DEPTH));
        }
        scan.nested = self.nested.or(cargo.nested).unwrap_or(scan.nested);
        let findings = [self.findings.clone(), cargo.findings].concat();
        let lock = self.cargo_settings.as_deref();
        let lock = lock.and_then(|directory| match &cargo.top {
            Some(top) => lock::within(directory, Some(top)),
            None => lock::within(seen_from, None),
        });
        let files = cargo.files.into_iter().chain(lock.clone()).collect();
        Settings { rules, scan, findings, files, lock, lock_denies_in_release }
    }

    /// Where a root is on disk.
    pub(crate) fn on_disk(&self, root: &Path) -> PathBuf {
        match &self.base {
            Some(base) => base.join(root),
            None => root.to_owned(),
        }
    }
}
