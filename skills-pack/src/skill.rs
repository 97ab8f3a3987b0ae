//! The view of one skill in a pack.

use core::fmt;

use super::layout::{field, file, skill};
use super::reader::Pack;

/// One skill. It is a small `Copy` view: accessors slice the pack and don't allocate.
#[derive(Clone, Copy)]
pub struct Skill<'a> {
    pack: Pack<'a>,
    index: u32,
}

impl<'a> Pack<'a> {
    /// The skill at this index, in the order of names.
    #[inline]
    pub fn skill(&self, index: usize) -> Option<Skill<'a>> {
        (index < self.len()).then(|| Skill::new(*self, index))
    }

    /// All skills, by name.
    pub fn skills(&self) -> impl ExactSizeIterator<Item = Skill<'a>> + DoubleEndedIterator + Clone + use<'a> {
        let pack = *self;
        (0..self.len()).map(move |index| Skill::new(pack, index))
    }
}

impl<'a> Skill<'a> {
    #[inline]
    fn new(pack: Pack<'a>, index: usize) -> Self {
        Self { pack, index: index as u32 }
    }

    /// The name.
    #[inline]
    pub fn name(&self) -> &'a str {
        self.text(skill::NAME)
    }

    /// Its directory, with `/`; for a bundled skill, relative to the package that was built.
    #[inline]
    pub fn path(&self) -> &'a str {
        self.text(skill::PATH)
    }

    /// The description: what the skill does and when to use it.
    #[inline]
    pub fn description(&self) -> &'a str {
        self.text(skill::DESCRIPTION)
    }

    /// The version, as written.
    pub fn version(&self) -> Option<&'a str> {
        self.given(skill::VERSION)
    }

    /// The author.
    pub fn author(&self) -> Option<&'a str> {
        self.given(skill::AUTHOR)
    }

    /// The licence.
    pub fn license(&self) -> Option<&'a str> {
        self.given(skill::LICENSE)
    }

    /// What the skill needs to run.
    pub fn compatibility(&self) -> Option<&'a str> {
        self.given(skill::COMPATIBILITY)
    }

    /// The argument hint, to show after the name.
    pub fn argument_hint(&self) -> Option<&'a str> {
        self.given(skill::ARGUMENT_HINT)
    }

    /// Words for searching.
    pub fn tags(&self) -> Texts<'a> {
        self.list(skill::TAGS)
    }

    /// Phrases that call for this skill.
    pub fn triggers(&self) -> Texts<'a> {
        self.list(skill::TRIGGERS)
    }

    /// The tools that it may use.
    pub fn allowed_tools(&self) -> Texts<'a> {
        self.list(skill::TOOLS)
    }

    /// The names of its arguments, in order.
    pub fn arguments(&self) -> Texts<'a> {
        self.list(skill::ARGUMENTS)
    }

    /// Whether a model may see and call it: not `disable-model-invocation`.
    #[inline]
    pub fn model_may_call(&self) -> bool {
        self.word(skill::FLAGS) & skill::MODEL_MAY_CALL != 0
    }

    /// Whether a user may see and call it: `user-invocable`.
    #[inline]
    pub fn user_may_call(&self) -> bool {
        self.word(skill::FLAGS) & skill::USER_MAY_CALL != 0
    }

    /// The instructions: Markdown, trimmed, with line feeds only. May be empty.
    #[inline]
    pub fn body(&self) -> &'a str {
        self.text(skill::BODY)
    }

    /// The first part of `load`'s answer, up to and including the line `Description:`.
    #[inline]
    pub fn head(&self) -> &'a str {
        self.text(skill::HEAD)
    }

    /// Its files as a tree, without the first line, which is the [`path`](Self::path). Empty if SKILL.md is
    /// the only file.
    #[inline]
    pub fn tree(&self) -> &'a str {
        self.text(skill::TREE)
    }

    /// Its files, including SKILL.md, sorted by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = SkillFile<'a>> + Clone + use<'a> {
        let (pack, first, count) = self.records(skill::FILES);
        (0..count).map(move |at| SkillFile { pack, record: pack.file_record(first + at) })
    }

    /// The file with exactly this path, relative to the skill's directory, with `/`.
    pub fn file(&self, path: &str) -> Option<SkillFile<'a>> {
        let (pack, first, count) = self.records(skill::FILES);
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low.midpoint(high);
            let file = SkillFile { pack, record: pack.file_record(first + middle) };
            match file.path().cmp(path) {
                core::cmp::Ordering::Equal => return Some(file),
                core::cmp::Ordering::Less => low = middle + 1,
                core::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The whole frontmatter, in the author's order. A number stays a string, as written, unless it is an
    /// integer in a field that isn't a string: a version of `1.10` is the string `1.10`.
    pub fn frontmatter(&self) -> impl ExactSizeIterator<Item = (&'a str, FieldValue<'a>)> + use<'a> {
        let (pack, first, count) = self.records(skill::FIELDS);
        fields(pack, first, count, Types::AsWritten)
    }

    /// The whole frontmatter, in the author's order, with the types of YAML: a version of `1.10` is the
    /// number 1.1, as JSON. A number that JSON can't hold is a string, as written, or `null` if it isn't
    /// finite.
    pub fn typed_frontmatter(&self) -> impl ExactSizeIterator<Item = (&'a str, FieldValue<'a>)> + use<'a> {
        let (pack, first, count) = self.records(skill::FIELDS);
        fields(pack, first, count, Types::InYaml)
    }

    /// Its index in its pack, in the order of names.
    pub fn index(&self) -> usize {
        self.index as usize
    }

    #[inline]
    fn word(&self, at: usize) -> u32 {
        self.pack.word(Pack::skill_record(self.index as usize) + at)
    }

    #[inline]
    fn text(&self, at: usize) -> &'a str {
        self.pack.text_at(Pack::skill_record(self.index as usize) + at)
    }

    #[inline]
    fn given(&self, at: usize) -> Option<&'a str> {
        Some(self.text(at)).filter(|text| !text.is_empty())
    }

    fn records(&self, at: usize) -> (Pack<'a>, usize, usize) {
        (self.pack, self.word(at) as usize, self.word(at + 1) as usize)
    }

    fn list(&self, at: usize) -> Texts<'a> {
        Texts::new(self.pack, Pack::skill_record(self.index as usize) + at)
    }
}

impl fmt::Debug for Skill<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Skill")
            .field("name", &self.name())
            .field("path", &self.path())
            .finish_non_exhaustive()
    }
}

/// The types that frontmatter values have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Types {
    /// Most numbers are strings, as the author wrote them.
    AsWritten,
    /// The types of YAML.
    InYaml,
}

/// The fields in these records.
pub(super) fn fields(
    pack: Pack<'_>,
    first: usize,
    count: usize,
    types: Types,
) -> impl ExactSizeIterator<Item = (&str, FieldValue<'_>)> {
    (0..count).map(move |at| {
        let record = pack.field_record(first + at);
        let (key, at) = (pack.word(record + field::KEY), record + field::VALUE);
        let kind = key & ((1 << field::KIND_BITS) - 1);
        let value = if kind & field::TYPED == 0 {
            value(pack, kind, at)
        } else if types == Types::InYaml {
            FieldValue::Json(pack.item(pack.word(at) as usize + 1))
        } else {
            value(pack, kind & !field::TYPED, pack.item_record(pack.word(at) as usize))
        };
        (pack.item((key >> field::KIND_BITS) as usize), value)
    })
}

/// The value of this kind, described by the two words from `at` on.
fn value(pack: Pack<'_>, kind: u32, at: usize) -> FieldValue<'_> {
    match kind {
        field::TEXT => FieldValue::Text(pack.text_at(at)),
        field::JSON => FieldValue::Json(pack.text_at(at)),
        field::LIST => FieldValue::List(Texts::new(pack, at)),
        _ => FieldValue::Json("null"),
    }
}

/// The value of a frontmatter field.
#[derive(Debug, Clone)]
pub enum FieldValue<'a> {
    /// A string.
    Text(&'a str),
    /// A list of strings.
    List(Texts<'a>),
    /// Anything else, as JSON.
    Json(&'a str),
}

/// The items of a list.
#[derive(Debug, Clone)]
pub struct Texts<'a> {
    pack: Pack<'a>,
    next: usize,
    end: usize,
}

impl<'a> Texts<'a> {
    /// The items that the two words from `at` on describe: the index of the first, and their number.
    fn new(pack: Pack<'a>, at: usize) -> Self {
        let first = pack.word(at) as usize;
        Self { pack, next: first, end: first + pack.word(at + 1) as usize }
    }
}

impl<'a> Iterator for Texts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        (self.next < self.end).then(|| {
            self.next += 1;
            self.pack.item(self.next - 1)
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }
}

impl ExactSizeIterator for Texts<'_> {}

/// One file of a skill.
#[derive(Clone, Copy)]
pub struct SkillFile<'a> {
    pack: Pack<'a>,
    record: usize,
}

impl<'a> SkillFile<'a> {
    /// The path, relative to the skill's directory, with `/`.
    pub fn path(&self) -> &'a str {
        self.pack.text_at(self.record + file::PATH)
    }

    /// The exact bytes of a bundled file. `None` for a file on disk, in an overlay; `Entry::read` and
    /// `Registry::read_file` read those.
    #[inline]
    pub fn bytes(&self) -> Option<&'a [u8]> {
        (!self.flag(file::ON_DISK))
            .then(|| self.pack.bytes_at(self.record + file::CONTENT, self.flag(file::BINARY)))
    }

    /// The text, if the file is bundled and is valid UTF-8 without NUL. Line endings and a byte-order mark
    /// are kept.
    #[inline]
    pub fn text(&self) -> Option<&'a str> {
        (!self.flag(file::BINARY | file::ON_DISK)).then(|| self.pack.text_at(self.record + file::CONTENT))
    }

    /// The size in bytes; for a file on disk, when it was found.
    #[inline]
    pub fn size(&self) -> usize {
        self.pack.word(self.record + file::CONTENT + 1) as usize
    }

    /// The SHA-256 of a bundled file, computed at build time. `None` for a file on disk.
    pub fn sha256(&self) -> Option<&'a [u8; 32]> {
        (!self.flag(file::ON_DISK)).then(|| self.pack.digest_at(self.record + file::DIGEST))
    }

    /// The media type, such as `text/markdown`; for a file on disk, derived from its name.
    pub fn media_type(&self) -> &'a str {
        self.pack.item((self.pack.word(self.record + file::MEDIA_TYPE) >> file::FLAG_BITS) as usize)
    }

    /// Whether the file was executable where the pack was made. Always `false` on Windows.
    pub fn is_executable(&self) -> bool {
        self.flag(file::EXECUTABLE)
    }

    #[inline]
    fn flag(&self, flag: u32) -> bool {
        self.pack.word(self.record + file::MEDIA_TYPE) & flag != 0
    }
}

impl fmt::Debug for SkillFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkillFile")
            .field("path", &self.path())
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}
