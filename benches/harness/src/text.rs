//! Writes the texts of one skill: words that make no sense in a shape that does.
//!
//! The texts look to a parser, a compressor and a search like what people write: headings, lists,
//! sentences, links, code. Each skill has its own, so that neither a compiler nor a linker can fold
//! two together. What goes where on disk is the business of [`tree`](crate::tree).

use std::fmt::Write as _;

use crate::prng::Prng;

const WORDS: &str = include_str!("words.txt");
/// A line of prose is wrapped here, in bytes.
const WIDTH: usize = 100;

/// A source of text with its own sequence of numbers.
#[derive(Debug)]
pub struct Text {
    words: Vec<&'static str>,
    long: Vec<&'static str>,
    prng: Prng,
}

impl Text {
    /// Texts that belong to `seed`.
    pub fn new(seed: u64) -> Self {
        let words: Vec<_> = WORDS.split_whitespace().collect();
        let long = words.iter().copied().filter(|word| word.len() > 4).collect();
        Self { words, long, prng: Prng::new(seed) }
    }

    /// The numbers behind the texts.
    pub fn prng(&mut self) -> &mut Prng {
        &mut self.prng
    }

    /// Two long words and `number`, as a skill's name.
    pub fn name(&mut self, number: usize) -> String {
        format!("{}-{}-{number:04}", self.prng.pick(&self.long), self.prng.pick(&self.long))
    }

    /// A `SKILL.md` of about `length` bytes.
    pub fn skill(&mut self, name: &str, length: usize) -> String {
        let mut text = String::with_capacity(length + 512);
        let _ = writeln!(text, "---\nname: {name}\ndescription: {}", self.description(200));
        let (major, minor, patch) = (self.prng.below(5), self.prng.below(20), self.prng.below(10));
        let _ = writeln!(text, "version: {major}.{minor}.{patch}\nlicense: MIT OR Apache-2.0");
        let tags: Vec<_> = (0..3).map(|_| self.prng.pick(&self.long)).collect();
        let _ = writeln!(text, "tags: [{}]\ntriggers:", tags.join(", "));
        for _ in 0..3 {
            let phrase: Vec<_> = (0..4).map(|_| self.prng.pick(&self.long)).collect();
            let _ = writeln!(text, "  - {}", phrase.join(" "));
        }
        let _ = writeln!(text, "---\n\n# {name}\n");
        text.push_str("See [the guide](references/guide.md), [the questions](references/faq.md) and ");
        text.push_str("[the script](scripts/run.sh).\n\n");
        self.markdown(&mut text, length);
        text
    }

    /// A Markdown file of about `length` bytes.
    pub fn reference(&mut self, title: &str, length: usize) -> String {
        let mut text = format!("# {title}\n\n");
        self.markdown(&mut text, length);
        text
    }

    /// A shell script of about `length` bytes that a shell accepts.
    pub fn script(&mut self, length: usize) -> String {
        let mut text = "#!/bin/sh\nset -eu\n\n".to_owned();
        let mut step = 0;
        while text.len() < length {
            step += 1;
            let _ = writeln!(text, "# {}", self.sentence());
            let _ = writeln!(text, "step_{step}() {{");
            for _ in 0..=self.prng.below(3) {
                let _ = writeln!(text, "    echo \"{}\"", self.sentence());
            }
            let _ = writeln!(text, "}}\nstep_{step}\n");
        }
        text
    }

    fn description(&mut self, length: usize) -> String {
        let mut text = self.sentence();
        while text.len() < length {
            text.push(' ');
            text.push_str(&self.sentence());
        }
        // All ASCII, so every byte is a place to cut; the last word may be half of one.
        text.truncate(length);
        let end = text.trim_end().len();
        text.truncate(end);
        text
    }

    fn markdown(&mut self, text: &mut String, length: usize) {
        while text.len() < length {
            match self.prng.below(6) {
                0 => {
                    let _ = writeln!(text, "## {}\n", self.phrase(4));
                }
                1 => {
                    for _ in 0..3 + self.prng.below(4) {
                        let _ = writeln!(text, "- {}", self.phrase(8));
                    }
                    text.push('\n');
                }
                2 => {
                    let (command, option) = (self.prng.pick(&self.long), self.prng.pick(&self.long));
                    let size = self.prng.below(10_000);
                    let _ = writeln!(text, "```sh\n{command} --{option}={size} input.txt\n```\n");
                }
                _ => self.paragraph(text),
            }
        }
        let end = text.trim_end().len();
        text.truncate(end);
        text.push('\n');
    }

    fn paragraph(&mut self, text: &mut String) {
        let mut column = 0;
        for _ in 0..2 + self.prng.below(4) {
            for word in self.sentence().split(' ') {
                if column + word.len() > WIDTH {
                    text.push('\n');
                    column = 0;
                } else if column > 0 {
                    text.push(' ');
                    column += 1;
                }
                text.push_str(word);
                column += word.len();
            }
        }
        text.push_str("\n\n");
    }

    fn sentence(&mut self) -> String {
        let length = 6 + self.prng.below(10);
        let mut text = self.phrase(length);
        text.push('.');
        text
    }

    fn phrase(&mut self, length: usize) -> String {
        let mut text = String::new();
        for at in 0..length {
            let word = self.prng.skewed(&self.words);
            if at > 0 {
                text.push(' ');
                text.push_str(word);
            } else {
                let (first, rest) = word.split_at(1);
                text.push_str(&first.to_ascii_uppercase());
                text.push_str(rest);
            }
        }
        text
    }
}
