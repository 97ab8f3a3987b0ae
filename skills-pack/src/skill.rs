//! The view of one skill in a pack.

use core::fmt;

use super::layout::{field, file, skill};
use super::reader::Pack;

/// One skill. A small `Copy` view; every accessor slices the pack and none allocates.
#[derive(Clone, Copy)]
pub struct Skill<'a> {
    pack: Pack<'a>,
    index: u32,
}

impl<'a> Skill<'a> {
    #[inline]
    pub(super) fn new(pack: Pack<'a>, index: usize) -> Self {
        Self { pack, index: index as u32 }
    }

    /// The name by which it is loaded.
    #[inline]
    pub fn name(&self) -> &'a str {
        self.text(skill::NAME)
    }

    /// Its directory: for a bundled skill relative to the package that was built, with `/`.
    #[inline]
    pub fn path(&self) -> &'a str {
        self.text(skill::PATH)
    }

    /// What it does and when to use it.
    #[inline]
    pub fn description(&self) -> &'a str {
        self.text(skill::DESCRIPTION)
    }

    /// Its version, as written.
    pub fn version(&self) -> Option<&'a str> {
        self.given(skill::VERSION)
    }

    /// Who wrote it.
    pub fn author(&self) -> Option<&'a str> {
        self.given(skill::AUTHOR)
    }

    /// Under which licence.
    pub fn license(&self) -> Option<&'a str> {
        self.given(skill::LICENSE)
    }

    /// What it needs to run.
    pub fn compatibility(&self) -> Option<&'a str> {
        self.given(skill::COMPATIBILITY)
    }

    /// What to show after its name when it is called with arguments.
    pub fn argument_hint(&self) -> Option<&'a str> {
        self.given(skill::ARGUMENT_HINT)
    }

    /// Words to find it by.
    pub fn tags(&self) -> Texts<'a> {
        self.list(skill::TAGS)
    }

    /// Phrases that call for it.
    pub fn triggers(&self) -> Texts<'a> {
        self.list(skill::TRIGGERS)
    }

    /// Tools that it may use.
    pub fn allowed_tools(&self) -> Texts<'a> {
        self.list(skill::TOOLS)
    }

    /// Names of its arguments, by position.
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

    /// The first part of the answer to `load`, up to and with the line `Description:`.
    #[inline]
    pub fn head(&self) -> &'a str {
        self.text(skill::HEAD)
    }

    /// Its files as a tree, without the first line, which is the [`path`](Self::path); empty where
    /// SKILL.md is the only one.
    #[inline]
    pub fn tree(&self) -> &'a str {
        self.text(skill::TREE)
    }

    /// Its files, SKILL.md among them, in the order of their paths.
    pub fn files(&self) -> impl ExactSizeIterator<Item = SkillFile<'a>> + Clone + use<'a> {
        let (pack, first, count) = self.records(skill::FILES);
        (0..count).map(move |at| SkillFile { pack, record: pack.file_record(first + at) })
    }

    /// The file at this path, relative to the skill's directory, with `/`, letter for letter.
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

    /// The whole frontmatter, in the author's order. What looks like a number stays the text that was
    /// written, unless it is a plain whole number that is no text field: a version of `1.10` is `1.10`.
    pub fn frontmatter(&self) -> impl ExactSizeIterator<Item = (&'a str, FieldValue<'a>)> + use<'a> {
        let (pack, first, count) = self.records(skill::FIELDS);
        fields(pack, first, count, Types::AsWritten)
    }

    /// The whole frontmatter, in the author's order, with the types that any reader of YAML gives it: a
    /// version of `1.10` is the number 1.1, as JSON. A number that JSON cannot hold is the text that was
    /// written, or `null` if it is not finite.
    pub fn typed_frontmatter(&self) -> impl ExactSizeIterator<Item = (&'a str, FieldValue<'a>)> + use<'a> {
        let (pack, first, count) = self.records(skill::FIELDS);
        fields(pack, first, count, Types::InYaml)
    }

    /// Its place in its pack, in the order of names.
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

/// Whose types values have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Types {
    /// Numbers are mostly the text that was written.
    AsWritten,
    /// Those of YAML.
    InYaml,
}

/// The fields with these records.
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

/// The value of this kind that the two words from `at` on name.
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
    /// A text, as it reads.
    Text(&'a str),
    /// A list of texts.
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
    /// The items that the two words from `at` on name: the first one, and how many.
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

    /// The exact bytes of a file that was compiled in. `None` for one that stands on disk, in an
    /// overlay: `Entry::read` and `Registry::read_file` read that one when they are asked.
    #[inline]
    pub fn bytes(&self) -> Option<&'a [u8]> {
        (!self.flag(file::ON_DISK))
            .then(|| self.pack.bytes_at(self.record + file::CONTENT, self.flag(file::BINARY)))
    }

    /// The text, if the file was compiled in and is one: UTF-8 without NUL. Line ends and marks are as
    /// in the file.
    #[inline]
    pub fn text(&self) -> Option<&'a str> {
        (!self.flag(file::BINARY | file::ON_DISK)).then(|| self.pack.text_at(self.record + file::CONTENT))
    }

    /// The size in bytes; of a file on disk, when it was found.
    #[inline]
    pub fn size(&self) -> usize {
        self.pack.word(self.record + file::CONTENT + 1) as usize
    }

    /// The SHA-256 of the bytes, fixed when they were compiled in. `None` for a file on disk.
    pub fn sha256(&self) -> Option<&'a [u8; 32]> {
        (!self.flag(file::ON_DISK)).then(|| self.pack.digest_at(self.record + file::DIGEST))
    }

    /// The media type, such as `text/markdown`; of a file on disk, what its name tells.
    pub fn media_type(&self) -> &'a str {
        self.pack.item((self.pack.word(self.record + file::MEDIA_TYPE) >> file::FLAG_BITS) as usize)
    }

    /// Whether the file was executable where the pack was made. Always `false` from Windows.
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
