//! Which levels may be set: by a call of [`Config`](crate::Config) and in Cargo.toml alike.

use skills_pack::nearest;
use skills_source::code::{Code, Level, RULES};
use skills_source::rules::Rules;

/// The code of a rule whose level can be set to this, or the message and the help of a finding.
pub(crate) fn level_of(rule: &str, level: Level) -> Result<Code, (String, String)> {
    let Some(code) = Code::parse(rule) else {
        let known = RULES.iter().flat_map(|rule| [rule.code.as_str(), rule.name]);
        let help = nearest::question(rule, known)
            .unwrap_or_else(|| "`skills explain` lists all rules with their codes and names".to_owned());
        return Err((format!("there is no rule `{}`", rule.escape_debug()), help));
    };
    match Rules::default().set_level(code, level) {
        Ok(()) => Ok(code),
        Err(error) => Err((
            error.to_string(),
            "fix what it finds; only rules that begin with `L` have a level".to_owned(),
        )),
    }
}
