//! The table of rules: one row a code, with its level, why it exists, and an example of each side.
//!
//! Everything that speaks of rules (findings, levels, documentation) reads this table. The checks
//! themselves are in [`rules`](crate::rules), [`document`](crate::document),
//! [`yaml`](crate::yaml) and [`scan`](crate::scan).

use std::fmt;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// It is not reported.
    Allow,
    /// It is reported; the build goes on.
    Warn,
    /// It is reported; the build fails.
    Deny,
}

impl Level {
    /// The word by which it is set: `allow`, `warn` or `deny`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Deny => "deny",
        }
    }
}

impl fmt::Display for Level {
    /// The word that compilers use: `error`, `warning` or `allowed`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allow => "allowed",
            Self::Warn => "warning",
            Self::Deny => "error",
        })
    }
}

/// One row of the table of rules.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Rule {
    /// The code, such as `E009`.
    pub code: Code,
    /// The rule's name in words, for use beside the code: `name-characters`.
    pub name: &'static str,
    /// The level unless the user sets another. Rules that begin with `E` are always denied.
    pub level: Level,
    /// What the rule finds, in one line.
    pub summary: &'static str,
    /// Why it is a fault.
    pub why: &'static str,
    /// The smallest frontmatter or layout that breaks it.
    pub bad: &'static str,
    /// The same, fixed.
    pub good: &'static str,
}

macro_rules! rules {
    ($($code:ident $name:literal $level:ident
        $summary:literal
        why: $why:literal
        bad: $bad:literal
        good: $good:literal)*) => {
        /// The code of a rule. Codes are never reused.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $summary] $code,)*
        }

        /// Every rule, in the order of the codes.
        pub const RULES: &[Rule] = &[$(Rule {
            code: Code::$code,
            name: $name,
            level: Level::$level,
            summary: $summary,
            why: $why,
            bad: $bad,
            good: $good,
        },)*];

        impl Code {
            /// The code as text, such as `E009`.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$code => stringify!($code),)* }
            }
        }
    };
}

rules! {
    E001 "frontmatter-missing" Deny
        "no frontmatter, or text before the opening fence"
        why: "an agent finds a skill by its frontmatter; text above the fence hides it from most readers"
        bad: "# Title\n\n---\nname: pdf\n"
        good: "---\nname: pdf\ndescription: Reads PDF forms\n---\n\n# Title\n"
    E002 "frontmatter-not-closed" Deny
        "the frontmatter is not closed"
        why: "without a closing fence the whole file would be read as YAML"
        bad: "---\nname: pdf\n\nBody\n"
        good: "---\nname: pdf\ndescription: Reads PDF forms\n---\n\nBody\n"
    E003 "invalid-yaml" Deny
        "the frontmatter is not valid YAML"
        why: "readers guess differently at broken YAML, and most drop the skill without a word"
        bad: "description: Tidy a ledger: sort rows"
        good: "description: \"Tidy a ledger: sort rows\""
    E004 "frontmatter-not-mapping" Deny
        "the frontmatter is not a mapping"
        why: "fields need names"
        bad: "---\n- pdf\n---\n"
        good: "---\nname: pdf\n---\n"
    E005 "duplicate-key" Deny
        "a key is given twice"
        why: "one reader keeps the first value, another the last"
        bad: "name: pdf\nname: other"
        good: "name: pdf"
    E006 "not-utf-8" Deny
        "the file is not UTF-8"
        why: "agents read UTF-8; another encoding arrives garbled or not at all"
        bad: "a file saved as UTF-16"
        good: "the same file saved as UTF-8"
    E007 "name-missing" Deny
        "the name is missing"
        why: "a skill is loaded by its name"
        bad: "description: Reads PDF forms"
        good: "name: pdf\ndescription: Reads PDF forms"
    E008 "name-too-long" Deny
        "the name is longer than 64 characters"
        why: "the standard's limit; longer names are refused or cut elsewhere"
        bad: "name: a-name-that-goes-on-and-on-far-beyond-what-anyone-would-want-to-type-ever"
        good: "name: short-name"
    E009 "name-characters" Deny
        "the name has a character other than a-z, 0-9 and `-`"
        why: "names are typed, put in URIs and used as directory names"
        bad: "name: pdf_tools"
        good: "name: pdf-tools"
    E010 "name-hyphens" Deny
        "the name starts or ends with `-`, or has `--`"
        why: "the standard's rule; such names are refused elsewhere"
        bad: "name: pdf--tools"
        good: "name: pdf-tools"
    E011 "description-missing" Deny
        "the description is missing"
        why: "an agent decides by the description whether to load a skill"
        bad: "name: pdf"
        good: "name: pdf\ndescription: Reads and fills PDF forms"
    E012 "wrong-form" Deny
        "a field has the wrong form"
        why: "a mapping where text is expected has no single meaning, and a limit that is misread limits nothing"
        bad: "description: [Reads, PDF]"
        good: "description: Reads PDF"
    E013 "duplicate-name" Deny
        "two skills, or two slash commands, of one root have names that a look-up cannot tell apart"
        why: "which of the two is loaded would be left to chance"
        bad: "a/report/SKILL.md and b/report/SKILL.md, both with `name: report`"
        good: "`name: report-a` and `name: report-b`"
    E014 "link-outside" Deny
        "a symlink points outside the root, or at nothing"
        why: "its target would be shipped in the program although nobody meant it to be; a live root leaves out only that file, and serves the skill"
        bad: "references/notes.md -> ../../../private.md"
        good: "references/notes.md as a file of its own"
    E015 "control-characters" Deny
        "control, direction-override or invisible characters in the name, description or when to use; Unicode tag characters anywhere"
        why: "they rewrite the terminal or hide what the text says: a model obeys what no reviewer can see"
        bad: "description: \"red \\e[31m\""
        good: "description: red"
    E016 "file-name-case" Deny
        "`SKILL.md` in other letters, or two spellings in one directory"
        why: "on a system that tells letters apart the skill is not found; on another, one of two is lost"
        bad: "pdf/skill.md"
        good: "pdf/SKILL.md"
    E017 "unreadable" Deny
        "a file or directory that cannot be read, or is not a plain file"
        why: "a bundle must hold everything in the root, or say why not"
        bad: "a pipe named SKILL.md"
        good: "a plain file"
    E018 "too-large" Deny
        "a limit of size, depth or number is passed"
        why: "limits keep hostile or mistaken input from taking the build's time and memory"
        bad: "a frontmatter of 70 kB"
        good: "a frontmatter of 1 kB, the rest in the body or in references/"
    E019 "wrong-setting" Deny
        "a setting that does not exist, or that cannot be obeyed"
        why: "a rule that is misspelt in a setting would be checked at a level that nobody chose"
        bad: "Config::new(\"skills\").deny(\"L999\")"
        good: "Config::new(\"skills\").deny(\"L103\")"
    E020 "limit-misspelt" Deny
        "a limit under a misspelt name"
        why: "a limit that is not read limits nothing: a skill that should be hidden would be offered, or run with every tool"
        bad: "disable-model-invokation: true"
        good: "disable-model-invocation: true"
    E021 "command-type" Deny
        "a slash command's type is unknown, or its key is misspelt"
        why: "a command that is run in another way than its author meant is worse than none"
        bad: "type: prompt"
        good: "type: text"
    E022 "template-missing" Deny
        "a slash command's template is missing or empty"
        why: "without a template a command has nothing to say"
        bad: "name: explain\ndescription: Explains a file\ntype: text"
        good: "name: explain\ndescription: Explains a file\ntype: text\ntemplate_path: explain.txt"
    E023 "template-outside" Deny
        "a slash command's template path points outside the root"
        why: "its target would be shipped in the program although nobody meant it to be"
        bad: "template_path: ../../private.txt"
        good: "template_path: explain.txt"
    E024 "differs-from-lock" Deny
        "a skill differs from `skill-sources.lock`, or is missing"
        why: "what others wrote was reviewed as it was locked; anything else is shipped unseen. A build without optimisation only warns, and its level can be set"
        bad: "a locked skill with an edited script"
        good: "the script as it was locked"
    L101 "description-length" Deny
        "the description is longer than 1,024 characters"
        why: "the standard's limit; elsewhere it is cut or the skill refused"
        bad: "a description of 1,025 characters"
        good: "what the skill does and when to use it, in two sentences"
    L102 "compatibility-length" Deny
        "the compatibility note is longer than 500 characters"
        why: "the standard's limit"
        bad: "a compatibility note of 501 characters"
        good: "compatibility: needs git and python3"
    L103 "name-not-directory" Warn
        "the name differs from the directory's name"
        why: "the standard asks for the same name, and other readers refuse the skill"
        bad: "forms/SKILL.md with `name: pdf`"
        good: "pdf/SKILL.md with `name: pdf`"
    L104 "unknown-field" Warn
        "a top-level field that nobody knows, or a limit below `metadata`"
        why: "readers ignore a field that they do not know, so a misspelt one does nothing"
        bad: "name: pdf\ndescription: Reads PDF forms\nlicence: MIT"
        good: "name: pdf\ndescription: Reads PDF forms\nlicense: MIT"
    L105 "dead-link" Warn
        "a relative link in the body to a file that is missing, spelt in other case, or outside the skill"
        why: "an agent that follows the link gets an error instead of the file; a skill is shipped with its own directory and nothing else"
        bad: "See [the fields](references/fields.md), where there is only references/Fields.md"
        good: "See [the fields](references/Fields.md)"
    L106 "body-length" Warn
        "the body is longer than 500 lines, or than about 5,000 tokens"
        why: "the whole body stays in the conversation once the skill is loaded; the standard recommends less"
        bad: "a SKILL.md of 900 lines"
        good: "a SKILL.md of 120 lines that says when to open references/api.md"
    L107 "look-alikes" Warn
        "two skills share a trigger, or have the same or nearly the same description"
        why: "an agent chooses by descriptions and triggers, and cannot choose between two that say the same"
        bad: "two skills with `description: Reads and fills PDF forms`"
        good: "`description: Fills PDF forms` and `description: Merges PDF files`"
    L108 "tag-like-text" Warn
        "tag-like text in the name or description"
        why: "some hosts put descriptions into XML unescaped, where it would open or close an element"
        bad: "description: Moves <service> calls"
        good: "description: Moves the calls of a service"
    L109 "conflicting-aliases" Warn
        "a field is given under two of its names with different values"
        why: "one of the two values is never used"
        bad: "description: Reads forms\nsummary: Fills forms"
        good: "description: Reads and fills forms"
    L110 "skill-size" Warn
        "a skill of more than 512 files or 16 MiB"
        why: "every file is part of the program, and hosts that take skills over MCP refuse more"
        bad: "a skill with a folder of 2,000 icons"
        good: "the same skill with the icons in one archive, or on the ignore list"
    L111 "secret" Warn
        "a string that looks like a key or password"
        why: "a bundle is part of the program: whoever has the program can read the secret, and no later change takes it back"
        bad: "a script with a token that begins with `ghp_` and goes on for 36 letters and digits"
        good: "a script that reads the token from the environment"
    L112 "catalogue-size" Warn
        "the catalogue of the whole bundle exceeds the prompt budget of 12,000 characters"
        why: "hosts shorten or leave out what does not fit, so some skills are never found"
        bad: "sixty skills with descriptions of 400 characters"
        good: "sixty skills with descriptions of 150 characters"
    L113 "nested-skill" Warn
        "a SKILL.md inside another skill"
        why: "it is a file of the outer skill here, a skill of its own to some readers, and nothing to others"
        bad: "pdf/SKILL.md and pdf/references/example/SKILL.md"
        good: "pdf/SKILL.md and pdf/references/example.md"
    L114 "cut-by-comment" Warn
        "` #` cuts the description or another value short"
        why: "to YAML what follows is a comment, so the rest of the value is lost without a word"
        bad: "description: Post the weekly note to #garden"
        good: "description: \"Post the weekly note to #garden\""
    L115 "unknown-placeholder" Warn
        "a placeholder in the body that the skill's argument names do not have"
        why: "it is never replaced, so the model reads the placeholder itself"
        bad: "arguments: [branch]\n---\nCheck out $brnach"
        good: "arguments: [branch]\n---\nCheck out $branch"
    L116 "root-outside-package" Warn
        "a root lies outside the package that builds it"
        why: "the published package would lack the skills, so it would not build elsewhere"
        bad: "skills_bundle::build(\"../shared-skills\")"
        good: "skills_bundle::build(\"skills\")"
    L117 "file-name" Warn
        "the name of a file or directory that does not work on every system, or that nobody can tell from another"
        why: "on a system that cannot have the file the checkout fails, or one of two files is lost"
        bad: "references/aux.md, references/what?.md, a zero-width space in a name, or Notes.md beside notes.md"
        good: "references/extra.md, references/what.md, notes.md"
    L118 "flag-as-text" Warn
        "a boolean in quotes"
        why: "it works here, but readers that follow YAML strictly see a string: they ignore it, or take even `\"false\"` for true"
        bad: "disable-model-invocation: \"true\""
        good: "disable-model-invocation: true"
    L119 "parameters-schema" Deny
        "the parameters are not a valid JSON Schema"
        why: "a model learns from the schema what to pass, and a handler is checked against it"
        bad: "parameters: {type: object, properties: {path: {type: text}}}"
        good: "parameters: {type: object, properties: {path: {type: string}}}"
    L120 "template-text" Warn
        "text of the template that the skill was started from"
        why: "an agent reads it as what the skill does and when to use it, and finds the skill for nothing or for everything"
        bad: "description: Does one kind of task well. Replace this with what the skill does"
        good: "description: Reads and fills PDF forms. Use when asked to fill in a PDF"
    L121 "command-unsupported" Warn
        "a slash command of type `script`, which is never run and not served"
        why: "a script would run with the rights of the program that serves it"
        bad: "type: script"
        good: "type: text"
    L122 "command-placeholder" Warn
        "something in a slash command's template looks like a placeholder and is not one"
        why: "it stays as it is in the text that is sent, and the value that belongs there is lost"
        bad: "Explain {arg.0}"
        good: "Explain {args.positional.0}"
    L123 "command-file-name" Warn
        "a slash command's file is not named `NAME.command.yaml` after its name"
        why: "other readers do not find it, or find it under another name"
        bad: "explain.command.yml"
        good: "explain.command.yaml with `name: explain`"
    L124 "hidden-skill" Warn
        "a skill or slash command that an earlier root hides, since it has the same name"
        why: "it is part of nothing that is built or served, and an edit of it does nothing"
        bad: "app/commit/SKILL.md and shared/commit/SKILL.md, with the roots `app` and `shared`"
        good: "app/commit/SKILL.md and shared/commit-message/SKILL.md"
    L125 "link-into-skill" Warn
        "a symlink into another skill, which is not followed"
        why: "what a policy hides must not be readable through a neighbour; the file is left out"
        bad: "report/forms.md -> ../pdf/references/forms.md"
        good: "report/forms.md and pdf/references/forms.md -> ../../shared/forms.md, which is in no skill"
    L126 "hidden-characters" Warn
        "invisible or direction-override characters in a body or in a text file of the skill"
        why: "a model reads what nobody sees; what spelling needs, such as joiners in emoji, Persian or Hindi and ends of words in Thai, is let be"
        bad: "See the zero\\u{200b}width space"
        good: "See the zero-width space"
    L127 "lfs-pointer" Warn
        "a Git LFS pointer where a file should be"
        why: "the checkout was made without Git LFS: three lines of text would be shipped in place of the file"
        bad: "assets/logo.png that begins with `version https://git-lfs.github.com/spec/v1`"
        good: "assets/logo.png after `git lfs pull`"
    L128 "not-published" Warn
        "a file that would be missing from the published package"
        why: "the program that is built here has the file, the crate that is published does not, and Cargo says nothing; a build looks for a Cargo.toml inside the skills, `check` also asks Cargo, or else git, what `include`, `exclude` and .gitignore leave out"
        bad: "skills/rust/assets/template/Cargo.toml: Cargo leaves the whole directory out"
        good: "skills/rust/assets/template/Cargo.toml.template"
    L129 "open-code-fence" Warn
        "a code fence in the body that is never closed"
        why: "all that follows is code to a reader of Markdown, and its links are not seen; a fence that is indented by four blanks closes nothing"
        bad: "```sh\nls\n\n## Next"
        good: "```sh\nls\n```\n\n## Next"
    L130 "failing-query" Warn
        "a test query that its skill doesn't pass"
        why: "what users say finds another skill, or none; `skills check` and editors ask, a build doesn't, since a change of words must not break it"
        bad: "{ \"query\": \"totals in a table\", \"should_trigger\": true } in evals/triggers.json, and no such word in the description"
        good: "the same query, and `totals` and `table` in the description"
    L131 "index-at-root" Warn
        "a SKILL.md without frontmatter at a root, above other skills"
        why: "it is an index for people and no skill; it is not served, and hides nothing below it"
        bad: "skills/SKILL.md that lists skills/pdf and skills/csv"
        good: "skills/README.md that lists them"
}

impl Code {
    /// The rule's row in the table.
    pub fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }

    /// The rule with this code (`L103`, in any case) or name (`name-not-directory`).
    pub fn parse(text: &str) -> Option<Self> {
        RULES
            .iter()
            .find(|rule| rule.code.as_str().eq_ignore_ascii_case(text) || rule.name == text)
            .map(|rule| rule.code)
    }

    /// Whether the level can be set. `E` rules always deny, but for E024: somebody who edits what is locked
    /// may say so.
    pub fn has_settable_level(self) -> bool {
        self == Self::E024 || self.as_str().starts_with('L')
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_its_own_row() {
        for rule in RULES {
            assert_eq!(rule.code.rule().name, rule.name);
            assert_eq!(Code::parse(rule.name), Some(rule.code));
            assert_eq!(Code::parse(&rule.code.as_str().to_lowercase()), Some(rule.code));
            assert!(rule.code.has_settable_level() || rule.level == Level::Deny, "{} is settable", rule.code);
        }
    }
}
