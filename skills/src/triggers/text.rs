//! A report as text for people.

use std::fmt;

use skills_core::{Part, SEARCH_LIMIT};
use skills_pack::text::{Escaped, Joined, Quoted, counted};

use super::report::{Confusion, Judged, Report};

/// How many parts of a rival's score are shown, and how many pairs of confused skills.
const PARTS: usize = 4;
const PAIRS: usize = 10;
/// The most characters of a query that are shown.
const QUERY: usize = 160;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for judged in self.cases.iter().filter(|judged| !judged.passed) {
            writeln!(f, "{judged}\n")?;
        }
        if !self.confusions.is_empty() {
            writeln!(f, "Which skill loses to which:")?;
            for Confusion { skill, loses_to, times } in self.confusions.iter().take(PAIRS) {
                writeln!(f, "  {skill} to {loses_to}: {times}")?;
            }
            if self.confusions.len() > PAIRS {
                writeln!(f, "  … {} more pairs", self.confusions.len() - PAIRS)?;
            }
            writeln!(f)?;
        }
        if !self.without_cases.is_empty() {
            let names = Joined(self.without_cases.iter(), ", ");
            writeln!(f, "Skills without cases ({}): {names}\n", self.without_cases.len())?;
        }
        if !self.skipped.is_empty() {
            writeln!(f, "Not judged ({}):", self.skipped.len())?;
            for skipped in self.skipped.iter().take(PAIRS) {
                writeln!(f, "  {}: {}", skipped.place, skipped.why)?;
            }
            if self.skipped.len() > PAIRS {
                writeln!(f, "  … {} more", self.skipped.len() - PAIRS)?;
            }
            writeln!(f)?;
        }
        let positives = self.positives();
        writeln!(f, "found first: {}", Share(self.found_first(), positives))?;
        writeln!(
            f,
            "found among the first 3, or as `top_k` says: {}",
            Share(self.found_in_top(), positives)
        )?;
        let negatives = self.negatives();
        writeln!(f, "found first, though not for the skill: {}", Share(self.negatives_first(), negatives))?;
        if self.vacuous() > 0 {
            writeln!(
                f,
                "not for the skill, and without a word of it, which proves nothing: {}",
                self.vacuous()
            )?;
        }
        write!(
            f,
            "{} over {}: {} passed, {} failed",
            queries(self.cases.len()),
            counted(self.skills, "skill"),
            self.passed(),
            self.failed()
        )
    }
}

fn queries(count: usize) -> String {
    if count == 1 { "1 query".to_owned() } else { format!("{count} queries") }
}

impl Judged {
    /// What happened, in one line.
    pub fn outcome(&self) -> impl fmt::Display {
        Outcome(self)
    }

    /// What happened, and why, in several lines. `Display` has the place too.
    pub fn explanation(&self) -> String {
        Explanation(self).to_string()
    }
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.case.place {
            write!(f, "{place}: ")?;
        }
        Explanation(self).fmt(f)
    }
}

/// What happened, and why.
struct Explanation<'j>(&'j Judged);

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Judged { case, above, words_nowhere, winning_words, advice, is_hybrid, .. } = self.0;
        Outcome(self.0).fmt(f)?;
        for (at, rival) in above.iter().enumerate() {
            let score = Score(rival.score, *is_hybrid);
            write!(f, "\n  {}. {} {score}", at + 1, rival.name)?;
            for (at, Part { what, score, .. }) in largest(&rival.parts).enumerate() {
                write!(f, "{} {what} {}", if at == 0 { ":" } else { "," }, Score(*score, *is_hybrid))?;
            }
        }
        let words = |words: &[String]| Joined(words.iter().map(Quoted), ", ").to_string();
        if !words_nowhere.is_empty() {
            let skill = case.owner.as_ref().unwrap_or(&case.skill);
            write!(f, "\n  in no field of `{skill}`: {}", words(words_nowhere))?;
        }
        if !winning_words.is_empty() {
            let winner =
                above.first().filter(|_| case.should_trigger).map_or(&case.skill, |first| &first.name);
            write!(f, "\n  `{winner}` wins by: {}", words(winning_words))?;
        }
        if !advice.is_empty() {
            write!(f, "\n  help: {}", Escaped(advice, char::is_control))?;
        }
        Ok(())
    }
}

/// What happened, in one line.
struct Outcome<'j>(&'j Judged);

impl fmt::Display for Outcome<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Judged { case, rank, owner_rank, returned, passed, .. } = self.0;
        let (skill, query) = (&case.skill, Query(&case.query));
        let not_found = |name: &str, f: &mut fmt::Formatter<'_>| match *returned {
            SEARCH_LIMIT.. => write!(f, "`{name}` is not among the first {SEARCH_LIMIT} for {query}"),
            _ => write!(f, "`{name}` is not found by {query}"),
        };
        match (rank, &case.owner) {
            (None, None) => not_found(skill, f),
            (Some(rank), None) if *passed || !case.should_trigger => {
                write!(f, "`{skill}` has rank {rank} for {query}")
            }
            (Some(rank), None) => {
                write!(f, "`{skill}` has rank {rank} for {query}, and should ")?;
                if case.top_k == 1 {
                    write!(f, "be first")
                } else {
                    write!(f, "be among the first {}", case.top_k)
                }
            }
            (_, Some(owner)) => {
                match owner_rank {
                    None => {
                        not_found(owner, f)?;
                        write!(f, ", ")?;
                    }
                    Some(owner_rank) => write!(f, "`{owner}` has rank {owner_rank} for {query}, ")?,
                }
                match rank {
                    None => write!(f, "and neither is `{skill}`"),
                    Some(rank) => write!(f, "and `{skill}`, which is not for it, has rank {rank}"),
                }
            }
        }
    }
}

/// A query in quotes, in one line, shortened.
struct Query<'q>(&'q str);

impl fmt::Display for Query<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.0.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = shown.char_indices().nth(QUERY) {
            shown.truncate(end);
            shown.push('…');
        }
        write!(f, "\"{}\"", Escaped(&shown, char::is_control))
    }
}

/// The largest parts of a score, in their order.
fn largest(parts: &[Part]) -> impl Iterator<Item = &Part> {
    let mut scores: Vec<u32> = parts.iter().map(|part| part.score).collect();
    scores.sort_unstable_by(|a, b| b.cmp(a));
    let least = scores.get(PARTS - 1).copied().unwrap_or_default();
    parts.iter().filter(move |part| part.score >= least).take(PARTS)
}

/// A score in its unit.
struct Score(u32, bool);

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(score, in_thousandths) = *self;
        if in_thousandths { write!(f, "{}.{:03}", score / 1000, score % 1000) } else { write!(f, "{score}") }
    }
}

/// A part of a whole, with per cent.
struct Share(usize, usize);

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(part, whole) = *self;
        write!(f, "{part} of {whole}")?;
        (part * 100).checked_div(whole).map_or(Ok(()), |share| write!(f, " ({share} %)"))
    }
}
