//! What the section for search was made of, kept so that one skill can be exchanged.

use std::sync::Arc;

use super::asides::settle;
use super::{Indexed, Vocabulary};
use crate::writer::{SkillSource, body_of};

/// What search knows of each skill of a pack, in the order of their names.
#[derive(Debug, Clone, Default)]
pub struct IndexedSkills {
    vocabulary: Arc<Vocabulary>,
    skills: Vec<Arc<Indexed>>,
    /// The folded names, sorted.
    names: Arc<[u32]>,
}

impl IndexedSkills {
    pub(in crate::writer) fn of(vocabulary: Vocabulary, mut skills: Vec<Indexed>) -> Self {
        let mut names: Vec<u32> = skills.iter().map(|skill| skill.folded_name).collect();
        names.sort_unstable();
        for skill in &mut skills {
            settle(skill, &names);
        }
        let skills = skills.into_iter().map(Arc::new).collect();
        Self { vocabulary: Arc::new(vocabulary), skills, names: names.into() }
    }

    /// Puts a skill in the place of the one at `index`, which has the same name. Returns whether there is one.
    pub fn replace(&mut self, index: usize, source: &SkillSource<'_>) -> bool {
        let Some(place) = self.skills.get_mut(index) else { return false };
        let mut skill = Arc::make_mut(&mut self.vocabulary).add(source, body_of(source));
        settle(&mut skill, &self.names);
        *place = Arc::new(skill);
        true
    }

    /// The section for search; empty if there is to be none, `None` where it is too large.
    pub fn section(&self) -> Option<Vec<u8>> {
        let skills: Vec<&Indexed> = self.skills.iter().map(|skill| &**skill).collect();
        self.vocabulary.section(&skills)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::skill::{self, SkillText};
    use crate::writer::{FileBytes, FileSource, PackWriter};

    /// A skill with a description that speaks of another, which counts less.
    const BEFORE: &str =
        "---\nname: b\ndescription: Sows. For plans use plan-beds.\ntriggers: [sow a bed]\n---\n";
    const AFTER: &str = "---\nname: b\ndescription: Digs. For plans use plan-beds, for tea make-tea.\ntriggers: [dig, water it]\n---\n";
    const OTHERS: [&str; 2] = [
        "---\nname: a\ndescription: Waters what was sown\ntags: [bed]\n---\n",
        "---\nname: plan-beds\ndescription: Plans beds\n---\n",
    ];

    fn with_source<R>(skill_md: &str, run: impl FnOnce(&SkillSource<'_>) -> R) -> R {
        let read = skill::read("SKILL.md", "", skill_md.as_bytes(), &Rules::default()).0;
        let text: SkillText = read.expect("the text has a frontmatter");
        let content = FileBytes::OnDiskSkill(skill_md.as_bytes());
        let files = vec![FileSource { path: "SKILL.md", content, executable: false }];
        run(&SkillSource { path: &text.name, dir_name: &text.name, text: &text, files })
    }

    fn indexed(b: &str) -> IndexedSkills {
        let mut writer = PackWriter::new();
        for skill_md in [OTHERS[0], b, OTHERS[1]] {
            with_source(skill_md, |source| writer.add(source));
        }
        writer.finish_indexed().expect("it is small").1
    }

    #[test]
    fn an_exchanged_skill_is_found_as_if_it_had_been_there() {
        let mut edited = indexed(BEFORE);
        assert_ne!(edited.section(), indexed(AFTER).section());
        assert!(with_source(AFTER, |source| edited.replace(1, source)));
        assert_eq!(edited.section(), indexed(AFTER).section());
        assert!(with_source(BEFORE, |source| edited.replace(1, source)));
        assert_eq!(edited.section(), indexed(BEFORE).section());
    }

    #[test]
    fn a_skill_that_is_not_there_is_not_exchanged() {
        let mut edited = indexed(BEFORE);
        assert!(!with_source(AFTER, |source| edited.replace(3, source)));
        assert_eq!(edited.section(), indexed(BEFORE).section());
    }
}
