//! Mentions of secrets and of the environment, of files that instruct agents, and of settings.

use super::Fact;
use crate::diff::Kind;

const SECRET: &str = "it names where secrets are";
const ENVIRONMENT: &str = "it reads the environment";
const INSTRUCTIONS: &str = "it names a file of instructions that agents obey later";
const SETTINGS: &str = "it names settings that other programs obey later";

/// What is looked for, in lower case.
const SIGNS: [(&str, &str); 78] = [
    (".ssh", SECRET),
    ("id_rsa", SECRET),
    ("id_ed25519", SECRET),
    (".aws/", SECRET),
    (".netrc", SECRET),
    (".npmrc", SECRET),
    (".pypirc", SECRET),
    (".git-credentials", SECRET),
    (".docker/config.json", SECRET),
    (".kube/config", SECRET),
    (".gnupg", SECRET),
    (".config/gh", SECRET),
    (".config/gcloud", SECRET),
    (".azure/", SECRET),
    ("/etc/passwd", SECRET),
    ("/etc/shadow", SECRET),
    ("find-generic-password", SECRET),
    ("find-internet-password", SECRET),
    ("login.keychain", SECRET),
    ("login data", SECRET),
    ("wallet.dat", SECRET),
    ("metamask", SECRET),
    ("solana/id.json", SECRET),
    (".env\"", SECRET),
    (".env'", SECRET),
    (".env`", SECRET),
    (".env ", SECRET),
    (".env.local", SECRET),
    ("dotenv", SECRET),
    ("credentials.json", SECRET),
    ("169.254.169.254", SECRET),
    ("gh auth token", SECRET),
    ("history | ", SECRET),
    (".bash_history", SECRET),
    (".zsh_history", SECRET),
    ("os.environ", ENVIRONMENT),
    ("os.getenv", ENVIRONMENT),
    ("process.env", ENVIRONMENT),
    ("getenv(", ENVIRONMENT),
    ("env::var", ENVIRONMENT),
    ("env[", ENVIRONMENT),
    ("printenv", ENVIRONMENT),
    ("$env:", ENVIRONMENT),
    ("env | ", ENVIRONMENT),
    ("_token", ENVIRONMENT),
    ("_api_key", ENVIRONMENT),
    ("_secret", ENVIRONMENT),
    ("_password", ENVIRONMENT),
    ("claude.md", INSTRUCTIONS),
    ("claude.local.md", INSTRUCTIONS),
    ("agents.md", INSTRUCTIONS),
    ("gemini.md", INSTRUCTIONS),
    ("soul.md", INSTRUCTIONS),
    ("memory.md", INSTRUCTIONS),
    ("identity.md", INSTRUCTIONS),
    (".cursorrules", INSTRUCTIONS),
    (".cursor/rules", INSTRUCTIONS),
    (".windsurfrules", INSTRUCTIONS),
    ("copilot-instructions.md", INSTRUCTIONS),
    (".claude/skills", INSTRUCTIONS),
    (".agents/skills", INSTRUCTIONS),
    (".claude/settings", SETTINGS),
    (".claude.json", SETTINGS),
    (".mcp.json", SETTINGS),
    (".vscode/settings", SETTINGS),
    (".vscode/tasks", SETTINGS),
    (".bashrc", SETTINGS),
    (".zshrc", SETTINGS),
    (".bash_profile", SETTINGS),
    (".zprofile", SETTINGS),
    ("/.profile", SETTINGS),
    ("config.fish", SETTINGS),
    ("crontab", SETTINGS),
    ("launchagents", SETTINGS),
    ("authorized_keys", SETTINGS),
    (".git/hooks", SETTINGS),
    ("core.hookspath", SETTINGS),
    ("systemd/user", SETTINGS),
];

/// One fact for each subject of a line.
pub(super) fn find(line: &str, number: u32, facts: &mut Vec<Fact>) {
    let lower = format!("{} ", line.to_ascii_lowercase());
    for subject in [SECRET, ENVIRONMENT, INSTRUCTIONS, SETTINGS] {
        let sign = SIGNS.iter().find(|(sign, of)| *of == subject && lower.contains(sign));
        if let Some((sign, _)) = sign {
            facts.push(Fact::of_line(Kind::Access, number, line, format!("{subject}: `{}`", sign.trim())));
        }
    }
}
