//! The command `review`: shows what changed since a skill was last reviewed, and writes down that somebody
//! looked at it.

use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use skills_bundle::diff::{self, Sides, Skill, render};
use skills_bundle::lock::{self, Digest, LOCK_FILE, Lock, LockedSkill, SkillState};
use skills_bundle::reviews::{self, REVIEWED, REVIEWS_FILE, Review, Reviewed, Reviews};

use crate::args::Review as Args;
use crate::diff::old::Old;
use crate::diff::side;
use crate::failure::Failure;
use crate::form::Form;
use crate::output::{self, Outcome};
use crate::sources::project::{Planned, Project, carry_out, io_failure};
use crate::sources::{git, history, review_file};

pub(crate) fn run(args: &Args, form: Form) -> Result<Outcome, Failure> {
    let project = Project::open(form)?;
    let locked = &project.lock.skills[project.locked(&args.name)?];
    let (file, shown) = (project.directory.join(REVIEWS_FILE), REVIEWS_FILE);
    let reviews = review_file::open(&file, shown, form)?;
    let mut review = entry(args, &project, locked, &reviews)?;
    let as_locked = as_locked(&project, locked)?;
    let covered = if args.all { Vec::new() } else { covered(args, locked, &reviews) };
    if covered.contains(&locked.digest) {
        output::note(&format!(
            "note: these files of {} are reviewed already; --all shows all of them\n",
            locked.dir
        ));
        return carry_out(&[], args.write.consent(), form, || Ok(()));
    }
    let (base, old) = base(&project, locked, &covered)?;
    let mut contents = Old::new(args.write.offline)?;
    let mut old: Vec<Skill> = old.into_iter().collect();
    let new = vec![as_locked];
    contents.fill(&mut old, &new)?;
    let diff = diff::diff(&Sides { old, new, mine: Vec::new() });
    if let Some(base) = base {
        // What was shown whole in place of a change was seen too.
        review.what = Reviewed::Delta(base, locked.digest);
    }
    let since = match base {
        Some(base) => format!("since {base}"),
        None => "all of it".to_owned(),
    };
    if form == Form::Text {
        output::tell(&render::text(&diff));
        output::tell("\n");
    }
    for note in contents.notes() {
        output::note(&format!("note: {}\n", skills_bundle::render::escape(note)));
    }
    let line = Planned {
        name: locked.name.clone(),
        dir: locked.dir.clone(),
        action: "review",
        why: format!("{since}, by {}", review.who),
    };
    if form == Form::Text {
        let text = format!("review {} ({})", line.dir, line.why);
        output::tell(&format!("{}\n", skills_bundle::render::escape(&text)));
    }
    // Before anybody is asked, a file to which nothing can be added is an error.
    let before = read(&file).map_err(|error| io_failure("nothing was written", &error))?;
    reviews::with(&before, &review).map_err(|error| {
        Failure::other(
            "REVIEWS_UNREADABLE",
            error.to_string(),
            "write the entry by hand: docs/provenance.md has its form",
        )
    })?;
    carry_out(&[line], args.write.consent(), form, || add(&project.directory, &review))
}

/// Adds the entry to what is in the file now: somebody may have added another while the question stood.
fn add(directory: &Path, review: &Review) -> io::Result<()> {
    let before = read(&directory.join(REVIEWS_FILE))?;
    let after = reviews::with(&before, review).map_err(|error| io::Error::other(error.to_string()))?;
    write(directory, &after)
}

/// The entry to be written, about all of the skill.
fn entry(args: &Args, project: &Project, locked: &LockedSkill, reviews: &Reviews) -> Result<Review, Failure> {
    let who = args.who.clone().or_else(|| git::user(&project.directory)).ok_or_else(|| {
        let help = "give --who \"NAME <ADDRESS>\", or set `user.name` for git";
        Failure::other("WHO", "nobody is named as the reviewer".to_owned(), help)
    })?;
    review_file::known(reviews, &args.criteria)?;
    let mut review = Review::new(locked.name.clone(), who, Reviewed::Whole(locked.digest));
    review.criteria = args.criteria.iter().filter(|criterion| *criterion != REVIEWED).cloned().collect();
    review.notes.clone_from(&args.notes);
    review.date = today();
    Ok(review)
}

/// The skill on disk, whose bytes must be those of the lock: a review of others would say nothing.
fn as_locked(project: &Project, locked: &LockedSkill) -> Result<Skill, Failure> {
    let mut only = Lock::default();
    only.skills.push(locked.clone());
    let place = lock::find(Path::new("."));
    let state = lock::check(&only, &project.directory, &place.ignore).first().map(|compared| compared.state);
    match state {
        Some(SkillState::Ok) => {
            let there = side::on_disk(&project.directory.join(&locked.dir), locked)?;
            Ok(Skill { locked: Some(locked.clone()), ..there })
        }
        other => {
            let state = other.map_or("missing", SkillState::words);
            let message = format!("`{}` differs from the lock: {state}", locked.dir);
            let help = format!("a review is of the bytes in `{LOCK_FILE}`: restore the files first");
            Err(Failure::other("SKILL_EDITED", message, help))
        }
    }
}

/// The digests of a skill that meet all criteria which are asked for, the latest first.
fn covered(args: &Args, locked: &LockedSkill, reviews: &Reviews) -> Vec<Digest> {
    let mut covered = reviews.covered(&locked.name, REVIEWED);
    for criterion in &args.criteria {
        let meets = reviews.covered(&locked.name, criterion);
        let meets: HashSet<[u8; 32]> = meets.into_iter().map(|digest| digest.0).collect();
        covered.retain(|digest| meets.contains(&digest.0));
    }
    covered
}

/// What was reviewed last, and the entry that the lock had then; none where nothing was, or where no lock in the
/// history has it.
fn base(
    project: &Project,
    locked: &LockedSkill,
    covered: &[Digest],
) -> Result<(Option<Digest>, Option<Skill>), Failure> {
    if covered.is_empty() {
        return Ok((None, None));
    }
    let versions = history::versions(&project.directory, &[LOCK_FILE], |_| true)?;
    let locks =
        versions.iter().filter_map(|bytes| Lock::read(LOCK_FILE, std::str::from_utf8(bytes).ok()?).ok());
    let entries: Vec<LockedSkill> = locks.flat_map(|lock| lock.skills).collect();
    for digest in covered {
        if let Some(entry) = entries.iter().find(|entry| entry.name == locked.name && entry.digest == *digest)
        {
            return Ok((Some(*digest), Some(side::entry(entry.clone()))));
        }
    }
    output::note("note: no lock in the history has what was reviewed last, so all of the skill is shown\n");
    Ok((None, None))
}

#[allow(clippy::disallowed_methods, reason = "it is no file of a skill")]
fn read(file: &Path) -> io::Result<String> {
    match std::fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        other => other,
    }
}

/// Replaces the file as a whole.
fn write(directory: &Path, text: &str) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".skills-reviews-").tempfile_in(directory)?;
    file.write_all(text.as_bytes())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.as_file().sync_all()?;
    file.persist(directory.join(REVIEWS_FILE)).map_err(|error| error.error)?;
    Ok(())
}

/// Today's date, in UTC.
fn today() -> Option<String> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(date(seconds / 86_400))
}

/// The date of a day since 1970, by Howard Hinnant's formula: years begin in March, so that the day that some
/// have more is their last.
fn date(day: u64) -> String {
    let day = day + 719_468;
    let (era, day_of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (day, expected) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (20_787, "2026-11-30"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(day), expected);
        }
    }

    #[test]
    fn an_entry_is_added_to_what_is_there_by_then() {
        let directory = tempfile::tempdir().expect("a directory");
        for who in ["Ana", "Bo"] {
            let review = Review::new("pdf", who, Reviewed::Whole(Digest([1; 32])));
            add(directory.path(), &review).expect("added");
        }
        let text = read(&directory.path().join(REVIEWS_FILE)).expect("read");
        assert!(text.contains("\"Ana\"") && text.contains("\"Bo\""), "{text}");
    }
}
