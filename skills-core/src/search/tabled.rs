//! The packs that a search goes through, each with its tables, which are read once.

use alloc::vec::Vec;

use skills_pack::Pack;
use skills_pack::search::SearchTables;
use skills_pack::words::Term;

/// A pack with the tables of the ranking `hybrid`.
pub(super) struct Tabled<'a> {
    /// The number of the pack.
    pub(super) number: usize,
    pub(super) pack: Pack<'a>,
    pub(super) tables: SearchTables<'a>,
}

/// Those of the packs that have skills. `None` if one of them lacks the tables.
pub(super) fn tabled<'a>(packs: impl Iterator<Item = Pack<'a>>) -> Option<Vec<Tabled<'a>>> {
    let with_skills = packs.enumerate().filter(|(_, pack)| !pack.is_empty());
    let read = |(number, pack): (usize, Pack<'a>)| {
        let tables = pack.search().filter(SearchTables::has_tables)?;
        Some(Tabled { number, pack, tables })
    };
    with_skills.map(read).collect()
}

/// How many skills of all packs have a term.
pub(super) fn skills_with(term: Term, packs: &[Tabled<'_>]) -> u32 {
    let count = |tables: &SearchTables<'_>| {
        let (start, end) = tables.postings_of(tables.find_term(term.0)?);
        end.checked_sub(start)
    };
    packs.iter().map(|pack| count(&pack.tables).unwrap_or(0)).fold(0, u32::saturating_add)
}
