//! The skills that are compiled into the program.

use core::fmt;

use skills_pack::{Command, Named, Pack, Skill, with_normalised};

/// The skills that are compiled into the program.
///
/// A bundle is a constant: it needs no set-up at run time, and reading it neither allocates nor parses.
/// `skills::bundle!()` and `skills::include_skills!()` make bundles, and check every skill in them.
pub struct Bundle {
    pack: Pack<'static>,
    names: &'static phf::Map<&'static str, u32>,
    digest: &'static str,
    lock: &'static str,
}

impl Bundle {
    /// A bundle without skills.
    pub const EMPTY: Self = Self::from_static(&[], &[], &EMPTY_TABLES, &NO_NAMES, "");

    /// Puts generated blocks together. Only generated code calls this.
    ///
    /// # Panics
    ///
    /// Panics at compile time (it is called in constants) if the blocks don't belong together or come from
    /// another version of `skills`.
    #[doc(hidden)]
    #[allow(clippy::panic, reason = "it stops the compilation of a program whose parts don't match")]
    pub const fn from_static(
        texts: &'static [&'static &'static str],
        bytes: &'static [&'static &'static [u8]],
        tables: &'static [u8],
        names: &'static phf::Map<&'static str, u32>,
        digest: &'static str,
    ) -> Self {
        match Pack::new(texts, bytes, tables) {
            Ok(pack) => Self { pack, names, digest, lock: "" },
            Err(_) => panic!(
                "the packed skills were made by another version of `skills`: \
                 use the same version of `skills` and `skills-bundle`, and build again"
            ),
        }
    }

    /// Returns the skill with this name, or with this directory name. Case doesn't matter, spaces count as
    /// hyphens, and surrounding `**` or backticks are ignored.
    #[inline]
    pub fn get(&self, name: &str) -> Option<Skill<'static>> {
        // Most callers give a name in its stored form.
        let named = self.named(name).or_else(|| with_normalised(name, |name| self.named(name)));
        self.pack.skill(named?.index)
    }

    /// All skills, by name.
    pub fn skills(
        &self,
    ) -> impl ExactSizeIterator<Item = Skill<'static>> + DoubleEndedIterator + Clone + use<> {
        self.pack.skills()
    }

    /// Returns the slash command with this name, without a slash.
    pub fn command(&self, name: &str) -> Option<Command<'static>> {
        with_normalised(name, |name| self.pack.command(name))
    }

    /// All slash commands, by name, including hidden ones.
    pub fn commands(
        &self,
    ) -> impl ExactSizeIterator<Item = Command<'static>> + DoubleEndedIterator + Clone + use<> {
        self.pack.commands()
    }

    /// The number of skills.
    pub const fn len(&self) -> usize {
        self.pack.len()
    }

    /// Whether the bundle has no skills.
    pub const fn is_empty(&self) -> bool {
        self.pack.is_empty()
    }

    /// A digest of the whole bundle, computed at build time: `sha256:` and 64 hexadecimal digits. It changes
    /// exactly when a skill, one of its files, or a slash command changes.
    pub const fn digest(&self) -> &'static str {
        self.digest
    }

    /// Adds the lock, as a block that is found in the program. Only generated code calls this.
    ///
    /// # Panics
    ///
    /// Panics at compile time if it is not one whole block.
    #[doc(hidden)]
    #[must_use]
    #[allow(clippy::panic, reason = "it stops the compilation of a program whose parts don't match")]
    pub const fn with_lock(self, block: &'static [u8]) -> Self {
        match skills_pack::marked::payload(block, skills_pack::marked::LOCK) {
            Some(payload) => match core::str::from_utf8(payload) {
                Ok(lock) => Self { lock, ..self },
                Err(_) => panic!("the lock of the skills is not UTF-8: build again"),
            },
            None => panic!("the lock of the skills was cut: build again"),
        }
    }

    /// Where those of the skills came from that others wrote: their part of `skill-sources.lock`, as TOML.
    /// `None` if none of them is locked. `skills lock --program` reads the same in the program's file.
    pub const fn lock(&self) -> Option<&'static str> {
        if self.lock.is_empty() { None } else { Some(self.lock) }
    }

    /// The packed form, for the other crates of `skills`.
    #[doc(hidden)]
    #[inline]
    pub const fn pack(&self) -> Pack<'static> {
        self.pack
    }

    /// The skill with a name that is already normalised.
    #[inline]
    pub(crate) fn named(&self, name: &str) -> Option<Named> {
        self.names.get(name).map(|&word| Named::of(word))
    }

    /// The same, with a name that is looked up in several bundles.
    #[inline]
    pub(crate) fn named_once_hashed(&self, name: &mut OnceHashed<'_>) -> Option<Named> {
        let phf::Map { key, disps, entries } = self.names;
        if disps.is_empty() {
            return None;
        }
        let index = phf_shared::get_index(name.hashes(*key)?, disps, entries.len());
        let (known, word) = entries.get(index as usize)?;
        (*known == name.text).then(|| Named::of(*word))
    }
}

/// A normalised name with its hash. Most perfect hash tables are made with the same key, so that it is hashed once for
/// several bundles.
pub(crate) struct OnceHashed<'n> {
    text: &'n str,
    known: Option<(u64, phf_shared::Hashes)>,
}

impl<'n> OnceHashed<'n> {
    #[inline]
    pub(crate) fn new(text: &'n str) -> Self {
        Self { text, known: None }
    }

    #[inline]
    fn hashes(&mut self, key: u64) -> Option<&phf_shared::Hashes> {
        if self.known.as_ref().is_none_or(|(known, _)| *known != key) {
            self.known = Some((key, phf_shared::hash(self.text, &key)));
        }
        self.known.as_ref().map(|(_, hashes)| hashes)
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

/// The tables of a pack without skills: a header with the first two words set, the rest 0.
static EMPTY_TABLES: [u8; skills_pack::EMPTY_LEN] = skills_pack::empty_tables();

static NO_NAMES: phf::Map<&'static str, u32> = phf::Map::new();
