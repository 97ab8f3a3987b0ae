//! The stemmer of English that is known as Porter2.
//!
//! It works in place on bytes: the crates that have it need `std`, and a query must not. Its results
//! are those of the crate `rust-stemmers`, which a test compares them with.

/// Cuts the word of `len` letters `a-z` at the start of `word` to its stem, and returns its length.
pub(super) fn english(word: &mut [u8], len: usize) -> usize {
    let mut stem = Stem { word, len, r1: 0, r2: 0 };
    if let Some(whole) = exception(stem.bytes()) {
        stem.len = 0;
        stem.append(whole);
        return stem.len;
    }
    stem.mark_consonants();
    stem.mark_regions();
    stem.plural();
    if !WHOLE_NOW.contains(&stem.bytes()) {
        stem.verb();
        stem.final_y();
        stem.long_suffix();
        stem.middle_suffix();
        stem.short_suffix();
        stem.final_letter();
    }
    stem.unmark();
    stem.len
}

/// The length of a German noun without its plural, where its ending tells that it is one: no English word ends so.
pub(super) fn german_plural(word: &[u8], len: usize) -> usize {
    let endings: [&[u8]; 5] = [b"ungen", b"heiten", b"keiten", b"schaften", b"ionen"];
    for ending in endings {
        if len > ending.len() && word[..len].ends_with(ending) {
            return len - 2;
        }
    }
    len
}

/// Words that do not follow the rules.
fn exception(word: &[u8]) -> Option<&'static [u8]> {
    Some(match word {
        b"skis" => b"ski",
        b"skies" | b"sky" => b"sky",
        b"dying" => b"die",
        b"lying" => b"lie",
        b"tying" => b"tie",
        b"idly" => b"idl",
        b"gently" => b"gentl",
        b"ugly" => b"ugli",
        b"early" => b"earli",
        b"only" => b"onli",
        b"singly" => b"singl",
        b"news" => b"news",
        b"howe" => b"howe",
        b"atlas" => b"atlas",
        b"cosmos" => b"cosmos",
        b"bias" => b"bias",
        b"andes" => b"andes",
        _ => return None,
    })
}

/// Words that are stems once the plural is off.
const WHOLE_NOW: [&[u8]; 8] =
    [b"inning", b"outing", b"canning", b"herring", b"earring", b"proceed", b"exceed", b"succeed"];

struct Stem<'w> {
    word: &'w mut [u8],
    len: usize,
    /// Where the two regions start, after the first and the second consonant that follows a vowel.
    r1: usize,
    r2: usize,
}

/// An `y` that is a consonant is written in capitals meanwhile.
const CONSONANT_Y: u8 = b'Y';

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

impl Stem<'_> {
    fn bytes(&self) -> &[u8] {
        &self.word[..self.len]
    }

    fn ends(&self, suffix: &[u8]) -> bool {
        self.bytes().ends_with(suffix)
    }

    /// Where a suffix of this length starts.
    fn before(&self, suffix: &[u8]) -> usize {
        self.len - suffix.len()
    }

    fn append(&mut self, letters: &[u8]) {
        for letter in letters {
            if self.len < self.word.len() {
                self.word[self.len] = *letter;
                self.len += 1;
            }
        }
    }

    fn replace(&mut self, suffix: &[u8], by: &[u8]) {
        self.len = self.before(suffix);
        self.append(by);
    }

    fn has_vowel_before(&self, end: usize) -> bool {
        self.word[..end].iter().any(|letter| is_vowel(*letter))
    }

    fn mark_consonants(&mut self) {
        for at in 0..self.len {
            if self.word[at] == b'y' && (at == 0 || is_vowel(self.word[at - 1])) {
                self.word[at] = CONSONANT_Y;
            }
        }
    }

    fn unmark(&mut self) {
        for at in 0..self.len {
            if self.word[at] == CONSONANT_Y {
                self.word[at] = b'y';
            }
        }
    }

    fn mark_regions(&mut self) {
        let prefixes: [&[u8]; 3] = [b"gener", b"commun", b"arsen"];
        let prefix = prefixes.into_iter().find(|prefix| self.bytes().starts_with(prefix));
        self.r1 = prefix.map_or_else(|| self.region_from(0), <[u8]>::len);
        self.r2 = self.region_from(self.r1);
    }

    fn region_from(&self, start: usize) -> usize {
        let mut at = start + 1;
        while at < self.len {
            if !is_vowel(self.word[at]) && is_vowel(self.word[at - 1]) {
                return at + 1;
            }
            at += 1;
        }
        self.len
    }

    fn ends_in_short_syllable(&self, end: usize) -> bool {
        match *self.word[..end].as_ref() {
            [vowel, last] => is_vowel(vowel) && !is_vowel(last),
            [.., before, vowel, last] => {
                !is_vowel(before)
                    && is_vowel(vowel)
                    && !is_vowel(last)
                    && !matches!(last, b'w' | b'x' | CONSONANT_Y)
            }
            _ => false,
        }
    }

    fn plural(&mut self) {
        if self.ends(b"sses") {
            self.len -= 2;
        } else if self.ends(b"ied") || self.ends(b"ies") {
            self.len -= if self.len > 4 { 2 } else { 1 };
        } else if self.ends(b"s")
            && !self.ends(b"us")
            && !self.ends(b"ss")
            && self.has_vowel_before(self.len.saturating_sub(2))
        {
            self.len -= 1;
        }
    }

    fn verb(&mut self) {
        let suffixes: [&[u8]; 6] = [b"eedly", b"ingly", b"edly", b"eed", b"ing", b"ed"];
        let Some(suffix) = suffixes.into_iter().find(|suffix| self.ends(suffix)) else { return };
        let start = self.before(suffix);
        if suffix.starts_with(b"ee") {
            if start >= self.r1 {
                self.replace(suffix, b"ee");
            }
            return;
        }
        if !self.has_vowel_before(start) {
            return;
        }
        self.len = start;
        if self.ends(b"at") || self.ends(b"bl") || self.ends(b"iz") {
            self.append(b"e");
        } else if self.ends_in_double() {
            self.len -= 1;
        } else if self.r1 >= self.len && self.ends_in_short_syllable(self.len) {
            self.append(b"e");
        }
    }

    fn ends_in_double(&self) -> bool {
        matches!(*self.bytes(), [.., a, b] if a == b && matches!(b, b'b' | b'd' | b'f' | b'g' | b'm' | b'n' | b'p' | b'r' | b't'))
    }

    fn final_y(&mut self) {
        if self.len > 2
            && matches!(self.word[self.len - 1], b'y' | CONSONANT_Y)
            && !is_vowel(self.word[self.len - 2])
        {
            self.word[self.len - 1] = b'i';
        }
    }

    /// Replaces the first suffix of these, if it lies in the first region.
    fn replace_first(&mut self, rules: &[(&[u8], &[u8])]) {
        let found = rules.iter().find(|(suffix, _)| self.ends(suffix));
        if let Some((suffix, by)) = found
            && self.before(suffix) >= self.r1
        {
            let before = self.before(suffix).checked_sub(1).map_or(0, |at| self.word[at]);
            let holds = match *suffix {
                b"ogi" => before == b'l',
                b"li" => {
                    matches!(before, b'c' | b'd' | b'e' | b'g' | b'h' | b'k' | b'm' | b'n' | b'r' | b't')
                }
                b"ative" => self.before(suffix) >= self.r2,
                _ => true,
            };
            if holds {
                self.replace(suffix, by);
            }
        }
    }

    fn long_suffix(&mut self) {
        self.replace_first(&[
            (b"ational", b"ate"),
            (b"fulness", b"ful"),
            (b"iveness", b"ive"),
            (b"ization", b"ize"),
            (b"ousness", b"ous"),
            (b"biliti", b"ble"),
            (b"lessli", b"less"),
            (b"tional", b"tion"),
            (b"alism", b"al"),
            (b"aliti", b"al"),
            (b"ation", b"ate"),
            (b"entli", b"ent"),
            (b"fulli", b"ful"),
            (b"iviti", b"ive"),
            (b"ousli", b"ous"),
            (b"abli", b"able"),
            (b"alli", b"al"),
            (b"anci", b"ance"),
            (b"ator", b"ate"),
            (b"enci", b"ence"),
            (b"izer", b"ize"),
            (b"bli", b"ble"),
            (b"ogi", b"og"),
            (b"li", b""),
        ]);
    }

    fn middle_suffix(&mut self) {
        self.replace_first(&[
            (b"ational", b"ate"),
            (b"tional", b"tion"),
            (b"alize", b"al"),
            (b"ative", b""),
            (b"icate", b"ic"),
            (b"iciti", b"ic"),
            (b"ical", b"ic"),
            (b"ness", b""),
            (b"ful", b""),
        ]);
    }

    fn short_suffix(&mut self) {
        let suffixes: [&[u8]; 18] = [
            b"ement", b"able", b"ance", b"ence", b"ible", b"ment", b"ant", b"ate", b"ent", b"ion", b"ism",
            b"iti", b"ive", b"ize", b"ous", b"al", b"er", b"ic",
        ];
        let Some(suffix) = suffixes.into_iter().find(|suffix| self.ends(suffix)) else { return };
        let start = self.before(suffix);
        let holds = suffix != b"ion" || (start > 0 && matches!(self.word[start - 1], b's' | b't'));
        if start >= self.r2 && holds {
            self.len = start;
        }
    }

    fn final_letter(&mut self) {
        let Some(last) = self.len.checked_sub(1) else { return };
        let goes = match self.word[last] {
            b'e' => last >= self.r2 || (last >= self.r1 && !self.ends_in_short_syllable(last)),
            b'l' => last >= self.r2 && last > 0 && self.word[last - 1] == b'l',
            _ => false,
        };
        if goes {
            self.len = last;
        }
    }
}
