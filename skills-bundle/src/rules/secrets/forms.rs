//! What keys look like, and what examples of them say.
//!
//! The prefixes and lengths are those that the providers document or that scanners know.

use std::ops::Range;

/// What begins with `prefix` and goes on for so many letters and digits.
pub(super) struct TokenForm {
    pub(super) prefix: &'static str,
    /// How many characters follow the prefix.
    pub(super) rest: Range<usize>,
    pub(super) what: &'static str,
}

const fn form(prefix: &'static str, rest: Range<usize>, what: &'static str) -> TokenForm {
    TokenForm { prefix, rest, what }
}

/// What the identifier of an access key is called.
pub(super) const AWS: &str = "an access key of AWS";

/// Longer prefixes come before those that begin like them.
pub(super) const FORMS: &[TokenForm] = &[
    form("AKIA", 16..17, AWS),
    form("ASIA", 16..17, AWS),
    form("ABIA", 16..17, AWS),
    form("AIza", 35..36, "a key of Google's APIs"),
    form("GOCSPX-", 28..29, "a client secret of Google"),
    form("ghp_", 36..37, "a token of GitHub"),
    form("gho_", 36..37, "a token of GitHub"),
    form("ghu_", 36..37, "a token of GitHub"),
    form("ghs_", 36..37, "a token of GitHub"),
    form("ghr_", 36..37, "a token of GitHub"),
    form("github_pat_", 60..120, "a token of GitHub"),
    form("glpat-", 20..64, "a token of GitLab"),
    form("gldt-", 20..64, "a token of GitLab"),
    form("glrt-", 20..64, "a token of GitLab"),
    form("glptt-", 40..41, "a token of GitLab"),
    form("sk-ant-", 60..200, "a key of Anthropic"),
    form("sk-proj-", 40..300, "a key of OpenAI"),
    form("sk-svcacct-", 40..300, "a key of OpenAI"),
    form("sk-admin-", 40..300, "a key of OpenAI"),
    form("sk-or-v1-", 64..65, "a key of OpenRouter"),
    form("sk-", 48..49, "a key of OpenAI"),
    form("sk-", 32..33, "a key of a model's API"),
    form("gsk_", 52..53, "a key of Groq"),
    form("xai-", 80..81, "a key of xAI"),
    form("pplx-", 48..57, "a key of Perplexity"),
    form("r8_", 37..38, "a token of Replicate"),
    form("tvly-", 32..60, "a key of Tavily"),
    form("lsv2_pt_", 40..50, "a key of LangSmith"),
    form("lsv2_sk_", 40..50, "a key of LangSmith"),
    form("pcsk_", 60..90, "a key of Pinecone"),
    form("hf_", 34..35, "a token of Hugging Face"),
    form("sk_live_", 24..200, "a live key of Stripe"),
    form("rk_live_", 24..200, "a live key of Stripe"),
    form("whsec_", 32..80, "a secret of a web hook"),
    form("sq0csp-", 43..44, "a secret of Square"),
    form("xoxb-", 30..200, "a token of Slack"),
    form("xoxp-", 30..200, "a token of Slack"),
    form("xoxa-", 30..200, "a token of Slack"),
    form("xoxr-", 30..200, "a token of Slack"),
    form("xoxs-", 30..200, "a token of Slack"),
    form("xapp-", 40..200, "a token of Slack"),
    form("npm_", 36..37, "a token of npm"),
    form("pypi-AgEI", 60..400, "a token of PyPI"),
    form("rubygems_", 48..49, "a key of RubyGems"),
    form("dckr_pat_", 27..28, "a token of Docker"),
    form("dop_v1_", 64..65, "a token of DigitalOcean"),
    form("doo_v1_", 64..65, "a token of DigitalOcean"),
    form("dor_v1_", 64..65, "a token of DigitalOcean"),
    form("shpat_", 32..33, "a token of Shopify"),
    form("shpca_", 32..33, "a token of Shopify"),
    form("shppa_", 32..33, "a token of Shopify"),
    form("shpss_", 32..33, "a secret of Shopify"),
    form("lin_api_", 40..41, "a key of Linear"),
    form("ntn_", 40..60, "a token of Notion"),
    form("figd_", 38..60, "a token of Figma"),
    form("dapi", 32..33, "a token of Databricks"),
    form("PMAK-", 59..60, "a key of Postman"),
    form("NRAK-", 27..28, "a key of New Relic"),
    form("glsa_", 41..42, "a token of Grafana"),
    form("sntrys_", 60..400, "a token of Sentry"),
    form("sntryu_", 64..65, "a token of Sentry"),
    form("sbp_", 40..41, "a token of Supabase"),
    form("sb_secret_", 22..60, "a key of Supabase"),
    form("nfp_", 36..60, "a token of Netlify"),
    form("pscale_tkn_", 32..65, "a token of PlanetScale"),
    form("ATATT3", 60..250, "a token of Atlassian"),
    form("LTAI", 17..22, "an access key of Alibaba Cloud"),
    form("HRKU-AA", 58..60, "a key of Heroku"),
    form("phc_", 43..44, "a key of PostHog"),
    form("key-", 32..33, "a key of Mailgun"),
    form("AGE-SECRET-KEY-1", 58..59, "a secret key of age"),
];

/// Words before `=` or `:` whose value is secret. Lower case, without `_` and `-`.
pub(super) const SECRET_NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "apikey",
    "secret",
    "secretkey",
    "accesskey",
    "accesstoken",
    "authtoken",
    "apitoken",
    "bottoken",
    "refreshtoken",
    "privatekey",
    "signingkey",
    "encryptionkey",
];

/// What an example says of itself, in lower case.
pub(super) const PLACEHOLDERS: &[&str] = &[
    "example",
    "sample",
    "your",
    "placeholder",
    "dummy",
    "fake",
    "changeme",
    "redacted",
    "replace",
    "insert",
    "secret",
    "password",
    "token",
    "xxxx",
    "test",
    "1234",
    "abcd",
    "0000",
    "demo",
    "masked",
    "hidden",
];
