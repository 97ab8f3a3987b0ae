//! The skills that were compiled in.

use core::fmt;

use skills_pack::{Command, Named, Pack, Skill, with_normalised};

/// The skills that were compiled into the program.
///
/// A bundle is a constant: making it costs nothing at run time, and reading it neither allocates nor
/// parses. It is made by `skills::bundle!()` or `skills::include_skills!()`, whose checks every skill
/// in it has passed.
pub struct Bundle {
    pack: Pack<'static>,
    names: &'static phf::Map<&'static str, u32>,
    digest: &'static str,
}

impl Bundle {
    /// A bundle without skills.
    pub const EMPTY: Self = Self::from_static(&[], &[], &EMPTY_TABLES, &NO_NAMES, "");

    /// Ties generated blocks together. For generated code alone.
    ///
    /// # Panics
    ///
    /// Where the blocks do not belong together or are of another version: when the program is
    /// compiled, since this is called in constants.
    #[doc(hidden)]
    #[allow(clippy::panic, reason = "it stops the compilation of a program whose parts do not fit")]
    pub const fn from_static(
        texts: &'static [&'static &'static str],
        bytes: &'static [&'static &'static [u8]],
        tables: &'static [u8],
        names: &'static phf::Map<&'static str, u32>,
        digest: &'static str,
    ) -> Self {
        match Pack::new(texts, bytes, tables) {
            Ok(pack) => Self { pack, names, digest },
            Err(_) => panic!(
                "the packed skills were made by another version of `skills`: \
                 use the same version of `skills` and `skills-bundle`, and build again"
            ),
        }
    }

    /// The skill that a look-up of `name` finds: its name, or its directory's, in any case, with
    /// blanks for hyphens, also between `**` or backquotes. `None` if there is none.
    #[inline]
    pub fn get(&self, name: &str) -> Option<Skill<'static>> {
        // Most names come in the form in which they are kept.
        let named = self.named(name).or_else(|| with_normalised(name, |name| self.named(name)));
        self.pack.skill(named?.index)
    }

    /// All skills, by name.
    pub fn skills(
        &self,
    ) -> impl ExactSizeIterator<Item = Skill<'static>> + DoubleEndedIterator + Clone + use<> {
        self.pack.skills()
    }

    /// The slash command that a look-up of `name`, without a slash, finds.
    pub fn command(&self, name: &str) -> Option<Command<'static>> {
        with_normalised(name, |name| self.pack.command(name))
    }

    /// All slash commands, by name, hidden ones too.
    pub fn commands(
        &self,
    ) -> impl ExactSizeIterator<Item = Command<'static>> + DoubleEndedIterator + Clone + use<> {
        self.pack.commands()
    }

    /// How many skills there are.
    pub const fn len(&self) -> usize {
        self.pack.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.pack.is_empty()
    }

    /// A digest of the whole bundle, fixed at build: `sha256:` and 64 hexadecimal digits. It changes
    /// when, and only when, a skill, a file of one, or a slash command does.
    pub const fn digest(&self) -> &'static str {
        self.digest
    }

    /// Its pack. For the other crates of `skills`.
    #[doc(hidden)]
    #[inline]
    pub const fn pack(&self) -> Pack<'static> {
        self.pack
    }

    /// The skill with a name in look-up form.
    #[inline]
    pub(crate) fn named(&self, name: &str) -> Option<Named> {
        self.names.get(name).map(|&word| Named::of(word))
    }
}

impl fmt::Debug for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bundle")
            .field("skills", &self.len())
            .field("digest", &self.digest)
            .finish_non_exhaustive()
    }
}

/// The tables of a pack without skills: a header with its two first words, the rest 0.
static EMPTY_TABLES: [u8; skills_pack::EMPTY_LEN] = skills_pack::empty_tables();

static NO_NAMES: phf::Map<&'static str, u32> = phf::Map::new();
