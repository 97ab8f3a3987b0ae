//! From which hosts and owners skills may be taken, as Cargo.toml says. Directories are the user's own business.

use skills_bundle::lock::Place;

use crate::failure::Failure;

/// The hosts and owners that are trusted; any, where none is named.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trust {
    hosts: Vec<String>,
    /// Each as `HOST/OWNER`.
    owners: Vec<String>,
}

impl Trust {
    pub(crate) fn of(place: &Place) -> Self {
        Self { hosts: place.allow_hosts.clone(), owners: place.allow_orgs.clone() }
    }

    /// Whether a repository may be asked, or a redirect to it followed.
    ///
    /// # Errors
    ///
    /// If its host and its owner aren't among those that are trusted.
    pub(crate) fn permit(&self, url: &str) -> Result<(), Failure> {
        if self.hosts.is_empty() && self.owners.is_empty() {
            return Ok(());
        }
        let (host, owner) = host_and_owner(url);
        let place = format!("{host}/{owner}");
        let is_one = |known: &String, of: &str| known.trim_end_matches('/').eq_ignore_ascii_case(of);
        if self.hosts.iter().any(|known| is_one(known, host))
            || self.owners.iter().any(|known| is_one(known, &place))
        {
            return Ok(());
        }
        let help = format!(
            "if you trust it, add `{host}` to `allow-host`, or `{place}` to `allow-org`, under \
             `[workspace.metadata.skills]` in Cargo.toml"
        );
        Err(Failure::other("NOT_TRUSTED", format!("`{place}` is not among the trusted sources"), help))
    }
}

/// The host of a URL that git takes, without user and port, and the first part of its path.
fn host_and_owner(url: &str) -> (&str, &str) {
    let (authority, path) = match url.split_once("://") {
        Some((_, rest)) => match rest.find(['/', '?', '#']) {
            Some(end) => rest.split_at(end),
            None => (rest, ""),
        },
        None => url.split_once(':').unwrap_or((url, "")),
    };
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => host,
    };
    let path = path.trim_start_matches('/');
    (host, path.split('/').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_owners_are_compared_whole() {
        let trust =
            Trust { hosts: vec!["git.example.org".to_owned()], owners: vec!["github.com/acme".to_owned()] };
        for url in [
            "https://git.example.org/x/y.git",
            "https://git.example.org:8443/x",
            "ssh://git@git.example.org:22/x",
            "git@git.example.org:x/y.git",
            "https://github.com/Acme/skills.git",
            "git@github.com:acme/skills.git",
        ] {
            assert!(trust.permit(url).is_ok(), "{url}");
        }
        for url in [
            "https://github.com/acme-evil/skills.git",
            "https://github.com/evil/acme.git",
            "https://git.example.org.evil.example/x",
            "https://git.example.org@evil.example/x",
            "https://evil.example?@git.example.org/x",
            "https://evil.example#@git.example.org/x",
            "https://evil.example/git.example.org",
            "git@evil.example:acme/x",
        ] {
            assert!(trust.permit(url).is_err(), "{url}");
        }
        assert!(Trust::default().permit("https://evil.example/x").is_ok());
    }
}
