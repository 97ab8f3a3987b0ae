//! Times what answers the same question in several ways, in turns.
//!
//! A group is a table of cases. In each round every case runs one batch, in an order of its own, so what is
//! compared ran close together and no case always runs after the same other one. Nothing here knows what a
//! case does, and no limit is known here.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::prng::Prng;
use crate::{markdown, stats};

/// The least that a batch lasts: long beside the clock's own cost, short beside a change of the machine's mood.
const BATCH: Duration = Duration::from_micros(200);

/// One way to answer, over and over.
pub struct Case<'a> {
    calls: usize,
    passes: usize,
    run: Box<dyn FnMut(usize) + 'a>,
}

impl<'a> Case<'a> {
    /// Answers each of `questions` in turn; dropping the answer belongs to the call.
    pub fn new<Q, A>(questions: &'a [Q], mut answer: impl FnMut(&'a Q) -> A + 'a) -> Self {
        let run = move |passes| {
            for _ in 0..passes {
                for question in questions {
                    black_box(answer(black_box(question)));
                }
            }
        };
        Self { calls: questions.len(), passes: 1, run: Box::new(run) }
    }

    /// Runs one batch; gives nanoseconds a call.
    fn batch(&mut self) -> f64 {
        // The case before left its own memory in the caches.
        (self.run)(1);
        let started = Instant::now();
        (self.run)(self.passes);
        started.elapsed().as_secs_f64() * 1e9 / (self.passes * self.calls) as f64
    }

    /// Finds out how many passes make a batch, and warms up on the way.
    fn settle(&mut self) {
        loop {
            let started = Instant::now();
            (self.run)(self.passes);
            if started.elapsed() >= BATCH {
                return;
            }
            self.passes *= 2;
        }
    }
}

/// Ways to answer one kind of question.
pub struct Group<'a> {
    /// What is asked.
    pub title: &'static str,
    /// What a reader of the table needs to know.
    pub about: &'static str,
    /// The unit of the table.
    pub unit: Unit,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// A label and a case for each column. The first one is what the others are divided by.
    pub rows: Vec<(&'static str, Vec<Case<'a>>)>,
}

/// A unit of time and the digits that make sense in it.
#[derive(Debug, Clone, Copy)]
pub struct Unit {
    /// Its name.
    pub name: &'static str,
    /// How many nanoseconds it has.
    pub nanoseconds: f64,
    /// Digits after the point.
    pub digits: usize,
}

/// Nanoseconds.
pub const NS: Unit = Unit { name: "ns", nanoseconds: 1.0, digits: 1 };
/// Microseconds.
pub const US: Unit = Unit { name: "µs", nanoseconds: 1e3, digits: 1 };

/// What a group took, a number a round. Numbers of different cases go together by index.
#[derive(Debug)]
pub struct Measured {
    /// What was asked.
    pub title: &'static str,
    /// What a reader of the table needs to know.
    pub about: &'static str,
    /// The unit to show; the numbers are nanoseconds a call.
    pub unit: Unit,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// A label, and for each column the numbers.
    pub rows: Vec<(&'static str, Vec<Vec<f64>>)>,
}

impl Group<'_> {
    /// Runs all cases this many times.
    pub fn measure(mut self, rounds: usize) -> Measured {
        let mut cases: Vec<&mut Case<'_>> = self.rows.iter_mut().flat_map(|(_, cases)| cases).collect();
        let mut samples = vec![Vec::with_capacity(rounds); cases.len()];
        for case in &mut cases {
            case.settle();
        }
        let mut order: Vec<usize> = (0..cases.len()).collect();
        let mut prng = Prng::new(rounds as u64);
        for _ in 0..rounds {
            prng.shuffle(&mut order);
            for &at in &order {
                // A copy is up to twice as slow where its two ends lie badly to each other. A block of
                // another size before each batch moves the answers, so no case is lucky in every round.
                let moved = black_box(Vec::<u8>::with_capacity(2_000 + prng.below(4_096)));
                samples[at].push(cases[at].batch());
                drop(moved);
            }
        }
        let mut samples = samples.into_iter();
        let rows = self
            .rows
            .iter()
            .map(|(label, cases)| (*label, samples.by_ref().take(cases.len()).collect()))
            .collect();
        Measured { title: self.title, about: self.about, unit: self.unit, columns: self.columns, rows }
    }
}

impl Measured {
    /// The median of one case, in nanoseconds.
    pub fn median(&self, row: &str, column: usize) -> Option<f64> {
        stats::median(self.samples(row, column)?)
    }

    /// How many times as long one case takes as another: the median of the ratios within a round.
    pub fn ratio(&self, ours: (&str, usize), theirs: (&str, usize)) -> Option<f64> {
        stats::ratio(self.samples(ours.0, ours.1)?, self.samples(theirs.0, theirs.1)?)
    }

    /// The table of it, with its title: medians, and in brackets the ratio to the first row.
    pub fn table(&self) -> String {
        let Self { title, about, unit, columns, rows } = self;
        let about = if about.is_empty() { String::new() } else { format!("{about}\n\n") };
        let mut text = format!("\n## {title}\n\n{about}| {} a call |", unit.name);
        for column in columns {
            let _ = write!(text, " {column} |");
        }
        let _ = writeln!(text, "\n| --- |{}", " ---: |".repeat(columns.len()));
        let first = rows.first().map_or("", |(label, _)| label);
        for (label, _) in rows {
            let _ = write!(text, "| {label} |");
            for column in 0..columns.len() {
                let median = self.median(label, column).map(|median| median / unit.nanoseconds);
                let ratio = self.ratio((label, column), (first, column));
                let (median, ratio) = (markdown::cell(median, unit.digits), markdown::cell(ratio, 2));
                let _ = write!(text, " {median} ({ratio}) |");
            }
            text.push('\n');
        }
        text
    }

    fn samples(&self, row: &str, column: usize) -> Option<&[f64]> {
        let (_, columns) = self.rows.iter().find(|(label, _)| *label == row)?;
        columns.get(column).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_measured_in_its_own_place() {
        let quick = [1_u64];
        let slow = [1_u64; 50];
        let sum = |count: &u64| (0..*count * 500).fold(0, |sum, next| black_box(sum + next));
        let group = Group {
            title: "sums",
            about: "",
            unit: NS,
            columns: vec!["one".to_owned(), "fifty".to_owned()],
            rows: vec![
                ("quick", vec![Case::new(&quick, |_| 1), Case::new(&slow, |_| 1)]),
                ("slow", vec![Case::new(&quick, sum), Case::new(&slow, sum)]),
            ],
        };
        let measured = group.measure(5);
        for column in 0..2 {
            let ratio = measured.ratio(("slow", column), ("quick", column));
            assert!(ratio.expect("both were measured") > 10.0, "{ratio:?}");
        }
        assert!(measured.median("slow", 2).is_none());
    }
}
