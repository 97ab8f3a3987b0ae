//! Secrets that are known by what stands around them, and those that are masked or cut: they are none.

use std::ops::Range;

use super::{LOOK_BACK, Secret, distinct, looks_random, says_placeholder};

/// Whether the value that this run is a part of is masked or cut: `eyJhb…`, `ghp_***`, `sk-<key>`, `${TOKEN}`.
pub(super) fn is_cut(bytes: &[u8], run: &Range<usize>) -> bool {
    let (before, after) = (&bytes[..run.start], &bytes[run.end..]);
    let is_bold = before.ends_with(b"*") && !after.starts_with(b"***");
    let cut_after =
        [b"..".as_slice(), "…".as_bytes(), "•".as_bytes(), "█".as_bytes(), b"${", b"$(", b"{{", b"[..", b"#"]
            .iter()
            .any(|mask| after.starts_with(mask));
    let cut_before = ["..".as_bytes(), "…".as_bytes(), "•".as_bytes(), "█".as_bytes(), b"***"]
        .iter()
        .any(|mask| before.ends_with(mask));
    let is_tag = after.starts_with(b"<") && !after.starts_with(b"</") && !after.starts_with(b"<br");
    cut_after || cut_before || is_tag || (after.starts_with(b"*") && !is_bold)
}

/// Whether the lines after the first of a private key are left out.
pub(super) fn goes_on_masked(after: &[u8]) -> bool {
    let is_between =
        |byte: &u8| matches!(byte, b'\n' | b'\r' | b' ' | b'\\' | b'\t' | b'"' | b'\'' | b'#' | b'>');
    let start = after.iter().position(|byte| !is_between(byte)).unwrap_or(after.len());
    let rest = &after[start..];
    let rest = rest.strip_prefix(b"n").filter(|rest| rest.starts_with(b".")).unwrap_or(rest);
    [b"..".as_slice(), "…".as_bytes(), b"*", b"<", b"[", b"(", "•".as_bytes()]
        .iter()
        .any(|mask| rest.starts_with(mask))
}

/// Whether these bytes end in a word, such as `Bearer`, and a blank.
pub(super) fn follows(before: &[u8], word: &[u8]) -> bool {
    let end = before.len() - before.iter().rev().take_while(|byte| **byte == b' ').count();
    let last = &before[end.saturating_sub(word.len())..end];
    end < before.len() && last.eq_ignore_ascii_case(word)
}

/// A secret whose parts are divided by other characters than a run has, or that is known by its address.
pub(super) fn in_context(bytes: &[u8], before: &[u8], run: Range<usize>) -> Option<Secret> {
    jwt(bytes, &run)
        .or_else(|| web_hook(bytes, before, &run))
        .or_else(|| dotted(bytes, before, &run))
        .or_else(|| account_key(bytes, before, &run))
}

/// The end of the run that begins right after a dot at `at`.
fn after_dot(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at + 1;
    let rest = (bytes.get(at) == Some(&b'.')).then(|| &bytes[start..])?;
    let len =
        rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count();
    Some(start..start + len)
}

/// A JSON web token: header, payload and signature.
fn jwt(bytes: &[u8], run: &Range<usize>) -> Option<Secret> {
    // In a URL it comes after other parts.
    let start = run.start + bytes[run.clone()].iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    if !bytes[start..run.end].starts_with(b"eyJ") {
        return None;
    }
    let payload = after_dot(bytes, run.end).filter(|payload| payload.len() >= 12)?;
    let signature = after_dot(bytes, payload.end).filter(|signature| signature.len() >= 32)?;
    let claims = decoded(&bytes[payload.clone()]);
    let is_sample = claims.windows(8).any(|part| part.eq_ignore_ascii_case(b"john doe"))
        || says_placeholder(&claims)
        || says_placeholder(&bytes[signature.clone()])
        || distinct(&bytes[signature.clone()]) < 14
        || is_cut(bytes, &signature);
    (bytes[payload].starts_with(b"eyJ") && !is_sample).then_some(Secret {
        what: "a JSON web token",
        span: start..signature.end,
        shown: 3,
    })
}

/// The bytes of Base64, plain or URL-safe, as far as they are of it.
pub(super) fn decoded(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'-' | b'+' => 62,
            b'_' | b'/' => 63,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    bytes
}

/// What comes before the key of a web hook of Feishu.
const FEISHU: &[u8] = b"/open-apis/bot/v2/hook/";

/// Addresses to which anybody who knows them can write.
fn web_hook(bytes: &[u8], before: &[u8], run: &Range<usize>) -> Option<Secret> {
    let text = &bytes[run.clone()];
    let secret = |what, prefix: &[u8], min: usize| {
        let rest = text.strip_prefix(prefix)?;
        let last = rest.rsplit(|byte| *byte == b'/').next()?;
        let is_one = last.len() >= min && looks_random(last) && !says_placeholder(rest);
        is_one.then_some(Secret { what, span: run.start + prefix.len()..run.end, shown: 0 })
    };
    if before.ends_with(b"hooks.slack.") {
        return secret("a web hook of Slack", b"com/services/", 20)
            .or_else(|| secret("a web hook of Slack", b"com/workflows/", 20));
    }
    if before.ends_with(b"discord.") || before.ends_with(b"discordapp.") {
        return secret("a web hook of Discord", b"com/api/webhooks/", 60);
    }
    // The last part is a UUID.
    let uuid = |what, text: &[u8]| {
        let is_one = text.len() == 36
            && text.iter().enumerate().all(|(at, byte)| match at {
                8 | 13 | 18 | 23 => *byte == b'-',
                _ => byte.is_ascii_hexdigit(),
            })
            && distinct(text) >= 9
            && !says_placeholder(text);
        is_one.then_some(Secret { what, span: run.end - 36..run.end, shown: 0 })
    };
    if before.ends_with(b"open.feishu.") || before.ends_with(b"open.larksuite.") {
        let at = text.windows(FEISHU.len()).position(|part| part == FEISHU)?;
        return uuid("a web hook of Feishu", &text[at + FEISHU.len()..]);
    }
    if before.ends_with(b"webhook/send?key=") {
        return uuid("a web hook of WeCom", text);
    }
    if before.ends_with(b"robot/send?access_token=") {
        let is_key = text.len() == 64 && looks_random(text);
        return is_key.then(|| Secret { what: "a web hook of DingTalk", span: run.clone(), shown: 0 });
    }
    // `webhook.office.com/webhookb2/ID@ID/IncomingWebhook/KEY/ID`
    let at = text.windows(17).position(|part| part == b"/IncomingWebhook/")?;
    let key = text[at + 17..].split(|byte| *byte == b'/').next()?;
    (key.len() == 32 && looks_random(key)).then_some(Secret {
        what: "a web hook of Microsoft Teams",
        span: run.start + at + 17..run.end,
        shown: 0,
    })
}

/// What comes before the secret part of a token, which is one run of so many bytes.
pub(super) const AFTER: &[(&str, &str, Range<usize>)] = &[
    ("hvs.", "a token of Vault", 24..400),
    ("hvb.", "a token of Vault", 24..400),
    ("dp.pt.", "a token of Doppler", 40..64),
    ("dp.st.", "a token of Doppler", 40..64),
    ("sl.", "a token of Dropbox", 130..1400),
    ("ya29.", "an access token of Google", 30..1400),
    ("sha256~", "a token of OpenShift", 43..44),
    ("Q~", "a client secret of Microsoft Entra", 31..41),
    ("atlasv1.", "a token of Terraform", 60..71),
    ("v1.", "an origin key of Cloudflare", 173..174),
];

/// The same, where one more run comes after a dot.
pub(super) const IN_TWO_PARTS: &[(&str, &str, usize, Range<usize>)] = &[
    ("SG.", "a key of SendGrid", 22, 43..44),
    ("dt0c01.", "a token of Dynatrace", 24, 64..65),
    ("pat.", "a token of Harness", 22, 24..25),
    ("sat.", "a token of Harness", 22, 24..25),
];

/// Tokens with a dot or a colon inside.
fn dotted(bytes: &[u8], before: &[u8], run: &Range<usize>) -> Option<Secret> {
    let text = &bytes[run.clone()];
    let secret = |what, end: usize| Some(Secret { what, span: run.start..end, shown: 0 });
    if let Some((_, what, _)) =
        AFTER.iter().find(|(mark, _, len)| before.ends_with(mark.as_bytes()) && len.contains(&text.len()))
    {
        return looks_random(text).then(|| secret(what, run.end)).flatten();
    }
    if let Some((_, what, _, last)) =
        IN_TWO_PARTS.iter().find(|(mark, _, len, _)| before.ends_with(mark.as_bytes()) && text.len() == *len)
    {
        let rest = after_dot(bytes, run.end).filter(|rest| last.contains(&rest.len()))?;
        return looks_random(text).then(|| secret(what, rest.end)).flatten();
    }
    // `pat` and 14 characters, then 64 digits.
    let id = before.strip_suffix(b".").and_then(|before| before.last_chunk::<17>());
    if text.len() == 64 && id.is_some_and(|id| id.starts_with(b"pat")) && looks_random(text) {
        return secret("a token of Airtable", run.end);
    }
    // `123456789:AA…`: the number of a bot and its key, maybe in a path.
    let key = text.split(|byte| *byte == b'/').next().unwrap_or_default();
    if key.len() == 35 && key.starts_with(b"AA") && before.ends_with(b":") {
        let digits = before[..before.len() - 1].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let is_key = (8..=10).contains(&digits) && looks_random(key);
        return is_key.then(|| secret("a token of a Telegram bot", run.start + key.len())).flatten();
    }
    // The number of a bot in Base64, a time, a signature.
    if (23..=28).contains(&text.len()) && matches!(text[0], b'M' | b'N' | b'O') {
        let time = after_dot(bytes, run.end).filter(|time| matches!(time.len(), 6 | 7))?;
        let key = after_dot(bytes, time.end).filter(|key| (27..=38).contains(&key.len()))?;
        let is_number = decoded(text).iter().all(u8::is_ascii_digit);
        let is_key = distinct(&bytes[key.clone()]) >= 12 && !says_placeholder(&bytes[key.clone()]);
        return (is_number && is_key).then(|| secret("a token of a Discord bot", key.end)).flatten();
    }
    None
}

/// `AccountKey=…==` in a connection string of Azure, `sig=…=` in a URL.
fn account_key(bytes: &[u8], before: &[u8], run: &Range<usize>) -> Option<Secret> {
    let names = [b"AccountKey=".as_slice(), b"SharedAccessKey=", b"&sig=", b"?sig="];
    let is_key = names.iter().any(|name| before.ends_with(name))
        && matches!(run.len(), 43 | 86)
        && bytes.get(run.end) == Some(&b'=')
        && distinct(&bytes[run.clone()]) > LOOK_BACK / 3
        && !says_placeholder(&bytes[run.clone()]);
    let what =
        if before.ends_with(b"sig=") { "a signature for shared access" } else { "an account key of Azure" };
    is_key.then(|| Secret { what, span: run.clone(), shown: 0 })
}
