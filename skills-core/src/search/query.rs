//! A query as terms, each weighed by how many of the served skills have it.

use super::tabled::{Tabled, skills_with};
use crate::action::Action;
use skills_pack::logarithm::POINT;
use skills_pack::words::{self, Kind, Term};
use skills_pack::worth::Worth;

/// The most different terms of a query that are searched for. A typical question has a tenth of that.
pub(super) const MAX_TERMS: usize = 128;
/// The most words of a query, without stop words, whose order counts.
const MAX_RUN: usize = 256;

/// The confidence of a certain match, in thousandths.
pub(super) const SURE: u32 = 1000;
/// The total weight of a query is at most that of this many words that occur nowhere.
const MOST_WORDS: u64 = 5;

/// A term of a query.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueryTerm {
    pub(super) term: Term,
    /// How many skills of all packs have it.
    pub(super) with: u32,
    /// Its weight, in units of 1 / (1 << POINT).
    pub(super) idf: u32,
    /// Whether it is another spelling of a term, which counts a quarter.
    is_aside: bool,
    /// Whether it is a pair of characters of which words are made: not of endings in kana.
    pub(super) is_in_word: bool,
}

/// Where a term is in a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Among its neighbours.
    InOrder,
    /// A compound, beside its parts.
    Alone,
    /// Another spelling, beside the term itself.
    Aside,
}

/// A query as terms.
#[derive(Debug)]
pub(super) struct Query {
    terms: [QueryTerm; MAX_TERMS],
    len: usize,
    /// The index of each word's term, in order.
    run: [u8; MAX_RUN],
    run_len: usize,
    worth: Worth,
    /// The total weight of the terms that say how well a skill fits.
    mass: u64,
}

impl Query {
    /// Parses a query, and counts its terms in all packs together.
    pub(super) fn new(text: &str, packs: &[Tabled<'_>]) -> Self {
        let none = QueryTerm { term: Term(0), with: 0, idf: 0, is_aside: false, is_in_word: false };
        let worth = Worth { skills: packs.iter().map(|tabled| tabled.pack.len() as u32).sum() };
        let mut query =
            Self { terms: [none; MAX_TERMS], len: 0, run: [0; MAX_RUN], run_len: 0, worth, mass: 0 };
        // A compound and its parts would count the same thing twice, so the compound counts only if one of
        // its parts matches nothing, as in `e-mail`.
        let mut has_idle_part = false;
        // How much there was before the last word that may begin a compound.
        let mut before = (0, 0);
        // Whether the last word matches nothing, and where its term is.
        let mut last = (true, None);
        words::scan(text, &mut |word| {
            has_idle_part &= word.continues || word.kind == Kind::Joined;
            let term = words::term(word).map(|term| (term, skills_with(term, packs)));
            if word.kind == Kind::Plain && !word.continues {
                before = (query.len, query.run_len);
            }
            match (word.kind, term) {
                // What a model or a person calls our own tools says nothing about a skill.
                (Kind::Joined, _) if Action::is_called(word.text) => {
                    (query.len, query.run_len) = before;
                    true
                }
                (Kind::Joined, Some(_)) if !has_idle_part => true,
                // How a word is spelled counts a little, and fully if nobody spells it without accents.
                (Kind::Variant, None | Some((_, 0))) => true,
                (Kind::Variant, Some(term)) => {
                    let is_only = core::mem::take(&mut last.0);
                    match last.1 {
                        Some(at) if is_only => query.replace(at, term),
                        _ => query.push(term, if is_only { Place::InOrder } else { Place::Aside }),
                    }
                }
                (kind, Some(term)) => {
                    let is_idle = term.1 == 0;
                    has_idle_part |= is_idle;
                    let at = query.run_len;
                    last = (is_idle, kind.is_new().then_some(at));
                    let has_room =
                        query.push(term, if kind.is_new() { Place::InOrder } else { Place::Alone });
                    if kind == Kind::Pair {
                        let is_ending = |c: char| ('\u{3041}'..='\u{309f}').contains(&c);
                        query.terms[usize::from(query.run[at])].is_in_word = !word.text.contains(is_ending);
                    }
                    has_room
                }
                (_, None) => {
                    has_idle_part = true;
                    last = (true, None);
                    true
                }
            }
        });
        for at in 0..query.len {
            let QueryTerm { term, with, is_aside, .. } = query.terms[at];
            let idf = worth.of(term, with);
            query.terms[at].idf = if is_aside { idf / 4 } else { idf };
            // Most pairs are the halves of two words. A pair that no skill has says nothing about any skill.
            if !is_aside && (with > 0 || !term.is_pair()) {
                query.mass += u64::from(idf);
            }
        }
        query
    }

    /// Adds a term, with how many skills have it. Returns whether there is room for more.
    fn push(&mut self, (term, with): (Term, u32), place: Place) -> bool {
        let known = self.terms().iter().position(|known| known.term == term);
        let at = known.unwrap_or(self.len);
        if known.is_none() {
            (self.terms[at].term, self.terms[at].with) = (term, with);
            self.terms[at].is_aside = true;
            self.terms[at].is_in_word = false;
            self.len += 1;
        }
        self.terms[at].is_aside &= place == Place::Aside;
        if place == Place::InOrder {
            self.run[self.run_len] = at as u8;
            self.run_len += 1;
        }
        self.len < MAX_TERMS && self.run_len < MAX_RUN
    }

    /// Puts a term in the place of the word at this position.
    fn replace(&mut self, position: usize, (term, with): (Term, u32)) -> bool {
        let known = self.terms().iter().position(|known| known.term == term);
        let at = known.unwrap_or(usize::from(self.run[position]));
        (self.terms[at].term, self.terms[at].with) = (term, with);
        self.terms[at].is_aside = false;
        self.run[position] = at as u8;
        true
    }

    pub(super) fn terms(&self) -> &[QueryTerm] {
        &self.terms[..self.len]
    }

    /// The words' terms, in order.
    pub(super) fn run(&self) -> impl ExactSizeIterator<Item = QueryTerm> + Clone + '_ {
        self.run[..self.run_len].iter().map(|at| self.terms[usize::from(*at)])
    }

    /// Calls `each` for every two neighbours, once per pair.
    pub(super) fn each_neighbours(&self, mut each: impl FnMut(QueryTerm, QueryTerm)) {
        let run = &self.run[..self.run_len];
        for (at, pair) in run.windows(2).enumerate() {
            if !run[..=at].windows(2).any(|before| before == pair) {
                each(self.terms[usize::from(pair[0])], self.terms[usize::from(pair[1])]);
            }
        }
    }

    pub(super) fn worth(&self) -> Worth {
        self.worth
    }

    /// How well a skill with this score fits, given its lead over all others; all in thousandths. A long
    /// message has much that no skill is about, so the weight of the query is capped. A lead counts up to
    /// half of the score: with few skills, any word shared with the message puts one ahead of all others.
    pub(super) fn confidence(&self, score: u32, lead: u32) -> u32 {
        let most = u64::from(self.worth.most());
        let full = (most * self.mass.min(MOST_WORDS * most)).isqrt();
        let lead = lead.min(score / 2);
        let sure = ((u64::from(score) + u64::from(lead)) << POINT) * 4 / 5;
        sure.checked_div(full).map_or(0, |part| part.min(SURE.into()) as u32)
    }
}
