use super::*;

/// Letters and digits as in a real secret, so that no real one is here.
fn random(len: usize) -> String {
    let alphabet = b"qN7wE2rTz8uIoP4aSdF9gHjK3lYxC5vBnM6";
    let mut state = 7_usize;
    (0..len)
        .map(|at| {
            state = (state * 31 + at * 17 + 11) % 1009;
            char::from(alphabet[state % alphabet.len()])
        })
        .collect()
}

fn found(text: &str) -> Vec<String> {
    check(|| "s/a.md".to_owned(), text.as_bytes())
        .into_iter()
        .map(|finding| {
            let excerpt = finding.excerpt().expect("it shows the line");
            format!("{}:{} {} {}", finding.line, finding.column, finding.message, excerpt.text)
        })
        .collect()
}

#[test]
fn keys_are_found_and_never_shown() {
    let key = random(36);
    for at in 0..40 {
        let text = format!("{}\nx ghp_{key}. y\n", "-".repeat(at));
        let expected = format!("2:3 this looks like a token of GitHub x ghp_{}. y", "*".repeat(36));
        assert_eq!(found(&text), [expected], "{at}");
    }
    let two = format!("a=AKIA{} b=https://x.y/hf_{}/z\n", random(16).to_uppercase(), random(34));
    let shown = found(&two);
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert!(shown.iter().all(|shown| !shown.contains(&random(34)) && shown.contains("hf_*")), "{shown:?}");
}

#[test]
fn private_keys_are_found_by_what_stands_above_them() {
    let line = format!("{}/{}+{}", random(20), random(22), random(20));
    for text in [
        format!("-----BEGIN RSA PRIVATE KEY-----\n{line}\n{line}\n"),
        format!("\"private_key\": \"-----BEGIN PRIVATE KEY-----\\n{line}\\n"),
    ] {
        let shown = found(&text);
        assert_eq!(shown.len(), 1, "{text}");
        assert!(shown[0].contains("a private key") && !shown[0].contains(&random(20)), "{shown:?}");
    }
    assert_eq!(found("-----BEGIN PRIVATE KEY-----\nMIIE...\n-----END PRIVATE KEY-----"), [""; 0]);
    assert_eq!(found(&format!("-----BEGIN PUBLIC KEY-----\n{line}\n")), [""; 0]);
}

#[test]
fn passwords_are_found_where_they_are_named() {
    for text in [
        format!("password = \"{}\"", random(24)),
        format!("DB_PASSWORD={}", random(20)),
        format!("\"client_secret\": '{}'", random(32)),
        format!("postgres://app:{}@db.internal.net/x", random(12)),
    ] {
        let shown = found(&text);
        assert_eq!(shown.len(), 1, "{text}");
        assert!(shown[0].contains("**********"), "{shown:?}");
    }
}

/// Text in Base64 as a token has it.
fn base64(text: &str) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut encoded = String::new();
    for part in text.as_bytes().chunks(3) {
        let number =
            part.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) << (8 * (3 - part.len()));
        (0..=part.len())
            .for_each(|at| encoded.push(char::from(alphabet[(number >> (18 - 6 * at)) as usize % 64])));
    }
    encoded
}

fn jwt(claims: &str) -> String {
    format!("{}.{}.{}", base64("{\"alg\":\"HS256\",\"typ\":\"JWT\"}"), base64(claims), random(43))
}

#[test]
fn secrets_are_known_by_what_stands_around_them() {
    let upper = |len| random(len).to_uppercase();
    for (text, what) in [
        (format!("x = \"{}\"", jwt("{\"sub\":\"u-77\",\"role\":\"admin\"}")), "a JSON web token"),
        (format!("Authorization: Bearer {}", random(40)), "a password or key"),
        (format!("curl -H 'authorization: bearer {}'", random(32)), "a password or key"),
        (
            format!("https://hooks.slack.com/services/T{}/B{}/{}", upper(8), upper(10), random(24)),
            "a web hook of Slack",
        ),
        (
            format!("https://discord.com/api/webhooks/927461835520194637/{}", random(68)),
            "a web hook of Discord",
        ),
        (
            format!("https://a.webhook.office.com/webhookb2/x@y/IncomingWebhook/{}/z", random(32)),
            "a web hook of Microsoft Teams",
        ),
        (format!("SG.{}.{}", random(22), random(43)), "a key of SendGrid"),
        (format!("hvs.{}", random(90)), "a token of Vault"),
        (
            format!("https://api.telegram.org/bot7364918205:AA{}/send", random(33)),
            "a token of a Telegram bot",
        ),
        (
            format!("{}.{}.{}", base64("927461835520194637"), random(6), random(38)),
            "a token of a Discord bot",
        ),
        (format!("GROQ=gsk_{}", random(52)), "a key of Groq"),
        (format!("api_token: '{}'", random(30)), "a password or key"),
        (format!("**glpat-{}**", random(20)), "a token of GitLab"),
        (format!("<code>hf_{}</code>", random(34)), "a token of Hugging Face"),
    ] {
        let shown = found(&text);
        assert_eq!(shown.len(), 1, "{text}: {shown:?}");
        assert!(shown[0].contains(what) && !shown[0].contains(&random(20)), "{shown:?}");
    }
    let key = random(86);
    assert!(found(&format!("AccountKey={key}==;")).iter().any(|found| found.contains("Azure")));
}

#[test]
fn every_form_is_found_and_masked() {
    let hex = |len: usize| random(len).bytes().map(|byte| format!("{:x}", byte % 16)).collect::<String>();
    let samples = FORMS.iter().map(|form| {
        let rest = match form.what {
            forms::AWS => random(form.rest.start).to_uppercase(),
            forms::TWILIO => hex(form.rest.start),
            _ => random(form.rest.start),
        };
        (form.what, format!("{}{rest}", form.prefix))
    });
    let after = shapes::AFTER.iter().map(|(mark, what, len)| (*what, format!("{mark}{}", random(len.start))));
    let two = shapes::IN_TWO_PARTS
        .iter()
        .map(|(mark, what, first, last)| (*what, format!("{mark}{}.{}", random(*first), random(last.start))));
    let airtable = ("a token of Airtable", format!("pat{}.{}", random(14), hex(64)));
    for (what, sample) in samples.chain(after).chain(two).chain([airtable]) {
        let shown = found(&format!("x = {sample}\n"));
        assert_eq!(shown.len(), 1, "{what}: {sample}: {shown:?}");
        assert!(shown[0].contains(what) && !shown[0].contains(&sample), "{what}: {sample}: {shown:?}");
    }
}

/// The same text in letters of both cases alone.
fn letters(len: usize) -> String {
    let swap = |c: char| if c.is_ascii_digit() { char::from(b'b' + (c as u8 - b'0')) } else { c };
    random(len).chars().map(swap).collect()
}

fn hex(len: usize) -> String {
    random(len).bytes().map(|byte| format!("{:x}", byte % 16)).collect()
}

fn uuid() -> String {
    format!("{}-{}-{}-{}-{}", hex(8), &hex(9)[5..], &hex(17)[13..], &hex(21)[17..], &hex(40)[28..])
}

#[test]
fn shapes_that_no_prefix_tells() {
    let basic = |text: &str| base64(text).replace('-', "+").replace('_', "/");
    let sas = format!("{}%2B{}%2f{}%3D", random(20), random(11), random(10));
    let pgp = |header: &str, end: &str| {
        let line = format!("{}/{}+{}", random(20), random(22), random(20));
        format!("-----BEGIN PGP PRIVATE KEY BLOCK-----{end}{header}{end}{line}{end}{line}{end}=aB9x{end}")
    };
    for (text, what) in [
        (pgp("", "\n"), "a private key"),
        (pgp("Version: GnuPG v2\nComment: https://gpgtools.org\n", "\n"), "a private key"),
        (pgp("", "\\n"), "a private key"),
        (format!("HF_TOKEN=hf_{}", letters(34)), "a token of Hugging Face"),
        (format!("Authorization: Basic {}==", basic(&format!("ops:{}", random(9)))), "in Base64"),
        (format!("-H 'authorization: basic {}'", basic(&format!("deploy:{}", letters(14)))), "in Base64"),
        (format!("\"auth\": \"{}=\"", basic(&format!("robot$ci:{}", random(21)))), "in Base64"),
        (format!("token ya29.{}", random(60)), "an access token of Google"),
        (format!("https://open.feishu.cn/open-apis/bot/v2/hook/{}", uuid()), "a web hook of Feishu"),
        (format!("https://open.larksuite.com/open-apis/bot/v2/hook/{}", uuid()), "a web hook of Feishu"),
        (format!("https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={}", uuid()), "a web hook of WeCom"),
        (format!("https://oapi.dingtalk.com/robot/send?access_token={}", hex(64)), "a web hook of DingTalk"),
        (
            format!("{}.{}.{}", base64("19274618355201946"), random(6), letters(27)),
            "a token of a Discord bot",
        ),
        (format!("NOTION=secret_{}", random(43)), "a token of Notion"),
        (format!("NOTION=ntn_{}", random(46)), "a token of Notion"),
        (
            format!("https://x.blob.core.windows.net/a?sv=2024-11-04&se=2027-01-01&sr=c&sp=r&sig={sas}"),
            "a signature for shared access",
        ),
        (
            format!("https://x.blob.core.windows.net/a?sv=2024-11-04&sig={}=", random(43)),
            "a signature for shared access",
        ),
        (format!("NGC=nvapi-{}", random(64)), "a key of NVIDIA"),
        (format!("SecretId: AKID{}", random(32)), "an access key of Tencent Cloud"),
        (format!("VERCEL_TOKEN={}", random(24)), "a password or key"),
        (format!("export TOKEN=\"{}\"", random(24)), "a password or key"),
        (format!("password: {}", random(16)), "a password or key"),
        (format!("postgres://app:{}@db.internal.net/x", letters(12)), "a password in a URL"),
        ("postgres://app:kqzwxvtrpl@db.internal.net/x".to_owned(), "a password in a URL"),
    ] {
        let shown = found(&text);
        assert_eq!(shown.len(), 1, "{text}: {shown:?}");
        assert!(shown[0].contains(what), "{text}: {shown:?}");
        assert!(!shown[0].contains(&random(9)[4..]) && !shown[0].contains(&letters(9)), "{shown:?}");
    }
}

#[test]
fn what_only_looks_like_those_is_none() {
    let basic = |text: &str| base64(text).replace('-', "+").replace('_', "/");
    for text in [
        format!("Authorization: Basic {}", basic("username:password")),
        format!("Authorization: Basic {}", basic("Aladdin:open sesame")),
        format!("Authorization: Basic {}", basic("user:your-password-1")),
        format!("Basic {}", random(30)),
        "Basic introduction-to-the-tools-2".to_owned(),
        format!("\"auth\": \"{}\"", random(32)),
        format!("\"file_token\": \"{}\"", random(27)),
        format!("\"token\": \"{}\"", random(27)),
        format!("NEXT_PAGE_TOKEN={}", random(27)),
        "MAX_TOKEN=claude-sonnet-4-5-20250929".to_owned(),
        "GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN_FOR_RELEASES_1 }}".to_owned(),
        "VERCEL_TOKEN=Summer2024VacationInItaly".to_owned(),
        "password: summervacation24".to_owned(),
        "password: Summer2024Italy1".to_owned(),
        "api_key = os_environ_value1".to_owned(),
        "postgres://app:superlongword@db.internal.net/x".to_owned(),
        "postgres://app:CorrectHorse@db.internal.net/x".to_owned(),
        "hf_DownloadModelFromTheHubWithCache".to_owned(),
        "https://open.feishu.cn/open-apis/bot/v2/hook/xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx".to_owned(),
        "https://open.feishu.cn/open-apis/bot/v2/hook/00000000-0000-0000-0000-000000000000".to_owned(),
        format!("https://x.blob.core.windows.net/a?sig={}...", random(30)),
        "https://x.blob.core.windows.net/a?sv=1&sig=<signature>%3D".to_owned(),
        format!("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{}\n", random(64)),
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n...\n".to_owned(),
    ] {
        assert_eq!(found(&text), [""; 0], "{text}");
    }
}

#[test]
fn what_is_masked_or_cut_is_none() {
    let half = random(24);
    let key = random(36);
    for text in [
        format!(
            "Authorization: Bearer {}.{}.",
            base64("{\"alg\":\"none\"}"),
            base64("{\"admin\":true,\"id\":77}")
        ),
        format!("Authorization: Bearer {half}..."),
        format!("Authorization: Bearer {half}…"),
        format!("Authorization: Bearer {half}***"),
        format!("password = \"{half}...\""),
        format!("password = \"...{half}\""),
        format!("ghp_{key}...").replace(&key, &key[..36]),
        format!("token: ghp_{key}****"),
        format!("\"secret\": \"{half}<your key>\""),
        format!("\"secret\": \"{half}${{REST}}\""),
        "Bearer <token> Bearer ${TOKEN} Bearer xxxxxxxxxxxxxxxxxxxxxxxx1".to_owned(),
        format!("{}...", &jwt("{\"sub\":\"u\"}")[..60]),
        jwt("{\"sub\":\"1234567890\",\"name\":\"John Doe\"}"),
        format!("-----BEGIN PRIVATE KEY-----\n{}\n...\n-----END PRIVATE KEY-----", random(64)),
        format!("-----BEGIN PRIVATE KEY-----\n{}...\n-----END PRIVATE KEY-----", random(40)),
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX".to_owned(),
        "postgres://app:s3cr...w9x@db.internal.net/x".to_owned(),
        "postgres://app:****@db.internal.net/x".to_owned(),
    ] {
        assert_eq!(found(&text), [""; 0], "{text}");
    }
}

#[test]
fn examples_and_other_long_words_are_let_be() {
    let random = random(40);
    for text in [
        "AKIAIOSFODNN7EXAMPLE".to_owned(),
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".to_owned(),
        "ghp_1234567890abcdefghijklmnopqrstuvwxyz".to_owned(),
        "sk-your-api-key-goes-here-and-not-in-this-file-ok1".to_owned(),
        "sk-ant-api03-...".to_owned(),
        "password = \"correct-horse-battery-staple-9\"".to_owned(),
        "password: ${DB_PASSWORD_FROM_THE_ENVIRONMENT_1}".to_owned(),
        "postgres://user:password@localhost:5432/db and postgres://app:s3cr3tpw9@localhost/x".to_owned(),
        "https://x.y/a:b@c user@host.example.com".to_owned(),
        format!("sha256:{random} and commit {random}"),
        format!("![image](data:image/png;base64,{random}{random}"),
        "references/some-long-directory-name/2024-01-01-release-notes".to_owned(),
        "skills-and-more-skills-and-more-skills-and-more-skills-1".to_owned(),
    ] {
        assert_eq!(found(&text), [""; 0], "{text}");
    }
}

#[test]
fn any_bytes_are_taken() {
    for len in 0..40 {
        assert!(check(String::new, &vec![b'a'; len]).is_empty());
        assert!(check(String::new, &vec![0xff; len]).is_empty());
        assert!(check(String::new, "@".repeat(len).as_bytes()).is_empty());
    }
}

#[test]
fn runs_are_those_that_a_look_at_every_byte_finds() {
    let inside: Vec<u8> = (0..=255).filter(|byte| IN_RUN[usize::from(*byte)]).collect();
    let outside: Vec<u8> = (0..=255).filter(|byte| !IN_RUN[usize::from(*byte)]).collect();
    assert_eq!((inside.len(), outside.len()), (66, 190));
    let mut state = 7u32;
    let mut next = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    for round in 0..5_000 {
        // Long runs and short ones, at the ends too.
        let mut bytes = Vec::new();
        for _ in 0..=round % 5 {
            bytes.extend((0..7 + next(32)).map(|_| inside[next(66)]).collect::<Vec<u8>>());
            bytes.extend((0..next(3)).map(|_| outside[next(190)]).collect::<Vec<u8>>());
        }
        let mut naive = Vec::new();
        let mut at = 0;
        for part in bytes.split(|byte| !IN_RUN[usize::from(*byte)]) {
            if part.len() >= MIN_RUN {
                naive.push(at..at + part.len());
            }
            at += part.len() + 1;
        }
        let mut found = Vec::new();
        while let Some(run) = next_run(&bytes, found.last().map_or(0, |run: &Range<usize>| run.end)) {
            found.push(run);
        }
        assert_eq!(found, naive, "{bytes:?}");
    }
}
