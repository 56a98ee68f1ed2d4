use std::borrow::Cow;

use super::*;

/// A made-up run of letters and digits.
fn made_up(length: usize) -> String {
    "a1B2c3D4e5F6g7H8i9J0".chars().cycle().take(length).collect()
}

fn masked(text: &str) -> (String, Vec<(Secret, usize)>) {
    let redactor = Redactor::default();
    let text = redactor.mask(text).into_owned();
    (text, redactor.counts())
}

/// Put together while the test runs, so that no scanner takes this file for a leak.
#[test]
fn tokens_are_known_by_their_shape() {
    let upper = "ABCDEFGH234567XY";
    for (kind, secret) in [
        ("AWS key id", format!("AKIA{upper}")),
        ("AWS key id", format!("ASIA{upper}")),
        ("GitHub token", format!("ghp_{}", made_up(36))),
        ("GitHub token", format!("gho_{}", made_up(36))),
        ("GitHub token", format!("ghs_{}", made_up(40))),
        ("GitHub token", format!("github_pat_{}_{}", made_up(22), made_up(59))),
        ("GitLab token", format!("glpat-{}", made_up(20))),
        ("Slack token", format!("xoxb-123456789012-1234567890123-{}", made_up(24))),
        ("Slack token", format!("xoxp-123456789012-{}", made_up(32))),
        ("Slack token", format!("xapp-1-A0123456789-{}", made_up(32))),
        ("Slack webhook", format!("https://hooks.slack.com/services/T00000000/B00000000/{}", made_up(24))),
        ("OpenAI key", format!("sk-{}", made_up(48))),
        ("OpenAI key", format!("sk-proj-{}_{}-{}", made_up(20), made_up(20), made_up(20))),
        ("OpenAI key", format!("sk-svcacct-{}", made_up(60))),
        ("Anthropic key", format!("sk-ant-api03-{}-{}AA", made_up(40), made_up(40))),
        ("OpenRouter key", format!("sk-or-v1-{}", "0123456789abcdef".repeat(4))),
        ("Google key", format!("AIza{}", made_up(35))),
        ("Google key", format!("GOCSPX-{}", made_up(28))),
        ("Stripe key", format!("sk_live_{}", made_up(24))),
        ("Stripe key", format!("rk_test_{}", made_up(24))),
        ("npm token", format!("npm_{}", made_up(36))),
        ("PyPI token", format!("pypi-AgEIcHlwaS5vcmc{}", made_up(80))),
        ("Hugging Face token", format!("hf_{}", made_up(34))),
        ("JSON Web Token", format!("eyJ{}.eyJ{}.{}", made_up(20), made_up(60), made_up(43))),
        (
            "private key",
            format!("-----BEGIN RSA PRIVATE KEY-----\n{0}\n{0}\n-----END RSA PRIVATE KEY-----", made_up(64)),
        ),
        ("private key", format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{0}\n{0}", made_up(70))),
        (
            "private key",
            format!(r"-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", made_up(64))
                .trim_end_matches(r"\n")
                .to_owned(),
        ),
    ] {
        for (before, after) in [("", ""), ("use ", " here"), ("\"", "\","), ("(", ")"), ("X=", "\nY=1")] {
            let (text, counts) = masked(&format!("{before}{secret}{after}"));
            assert_eq!(text, format!("{before}[redacted {kind}]{after}"), "{secret}");
            assert_eq!(counts, [(kind, 1)], "{secret}");
        }
    }
}

#[test]
fn secrets_are_known_by_their_names() {
    let aws = format!("wJalrXUtnFEMI/K7MDENG/{}", made_up(18));
    let hex = "0123456789abcdef0123456789abcdef01234567";
    for (text, secret) in [
        ("password=hunter2", "hunter2"),
        ("DB_PASSWORD=swordfish", "swordfish"),
        ("export PGPASSWORD='two words 1'", "two words 1"),
        ("password: hunter2", "hunter2"),
        ("  password: \"swordfish\"", "swordfish"),
        ("{\"password\": \"swordfish\"}", "swordfish"),
        (r#"{"body":"{\"password\":\"swordfish\"}"}"#, "swordfish"),
        ("password = hunter22", "hunter22"),
        ("let client_secret = \"a1b2c3d4e5\";", "a1b2c3d4e5"),
        ("secret: a1b2c3d4e5", "a1b2c3d4e5"),
        ("API_KEY=a1b2c3d4e5", "a1b2c3d4e5"),
        ("api-key: a1b2c3d4e5", "a1b2c3d4e5"),
        ("x-api-key: a1b2c3d4e5", "a1b2c3d4e5"),
        ("\"apiKey\" : \"a1b2c3d4e5\"", "a1b2c3d4e5"),
        ("config['api_key'] = 'a1b2c3d4e5'", "a1b2c3d4e5"),
        ("https://host/path?token=a1b2c3d4e5&x=1", "a1b2c3d4e5"),
        ("//registry.example/:_authToken=a1b2c3d4e5", "a1b2c3d4e5"),
        (&format!("AWS_SECRET_ACCESS_KEY={aws}"), &aws),
        (&format!("aws_secret_access_key = {aws}"), &aws),
        (&format!("\"SecretAccessKey\": \"{aws}\""), &aws),
        (&format!("token: {hex}"), hex),
        ("Authorization: Bearer a1b2c3d4e5", "a1b2c3d4e5"),
        ("-H 'authorization: Basic dXNlcjpwYXNz'", "dXNlcjpwYXNz"),
        ("\"Authorization\": \"Bearer a1b2c3d4e5\"", "a1b2c3d4e5"),
        ("postgres://app:hunter2@db:5432/app", "hunter2"),
        ("redis://:hunter2@cache", "hunter2"),
        ("https://bot:a-b.c!d@example.org/x.git", "a-b.c!d"),
    ] {
        let (clean, counts) = masked(text);
        assert!(!clean.contains(secret), "{text}: {clean}");
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<usize>(), 1, "{text}: {clean}");
        let (before, after) = text.split_once(secret).unwrap();
        assert!(clean.starts_with(before) && clean.ends_with(after), "{text}: {clean}");
        assert_eq!(masked(&clean).0, clean, "masking again changes nothing");
    }
}

#[test]
fn what_only_looks_like_a_secret_stays() {
    let base64 =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    for text in [
        "commit 3f5a9c0e7d1b2a4f6e8c9d0b1a2f3e4d5c6b7a89",
        "index 0a1b2c3d..4e5f6a7b 100644",
        "0199aaaa-0000-7000-8000-000000000001",
        "password: see above",
        "Enter your password: ",
        "the password is stored hashed; a token: what a lexer yields",
        base64,
        "let token = self.next_token()?;",
        "let token = lexer.peek;",
        "token = tokens[0]",
        "let token = next2;",
        "fn check(password: &str, token: Token) -> bool",
        "password: string; secret?: string",
        "login(user, password=password, token=access_token)",
        "token=$TOKEN password=${PASSWORD} api_key=<key>",
        "API_KEY=YOUR_API_KEY_1",
        "password = \"password\"",
        "password=********",
        "token: \"the token to use\"",
        "api_key: str = None",
        "max_tokens: 4096, tokens: 12345, token_count = 55555555",
        "\"tokensBefore\":92000,\"totalTokens\":6234",
        "secret = os.environ['SECRET']",
        "password: process.env.DB_PASSWORD2",
        "sk-learn and sk-fading-circle and ask-me-anything-about-this-long-word",
        "sk-proj-my-long-and-winding-project-name",
        "task-ant-hill",
        "xoxo-hugs-and-kisses",
        "npm_config_registry npm_lifecycle_event",
        "hf_hub_download hf_transformers_generation_configuration",
        "Bearer authentication_is_described_elsewhere",
        "Authorization: Bearer $TOKEN_VALUE",
        "AKIAlowercase AKIAIOSFODNN",
        "http://example.org:8080/a@b",
        "git@github.com:owner/repo.git ssh://git@host:22/x",
        "https://user:$PASSWORD@host",
        "grep -- '-----BEGIN PRIVATE KEY-----' file && find(\"-----END PRIVATE KEY-----\")",
        "eyJ is how base64 of {\" begins",
        "the secret: practice, practice, practice",
        "keyboard: qwerty12345 monkey=banana12345",
    ] {
        let redactor = Redactor::default();
        assert!(
            matches!(redactor.mask(text), Cow::Borrowed(_)) || redactor.mask(text) == text,
            "{text}: {}",
            redactor.mask(text)
        );
        assert!(redactor.counts().is_empty(), "{text}: {:?}", redactor.counts());
    }
}

#[test]
fn members_of_objects_are_known_by_their_names() {
    let redactor = Redactor::default();
    for (name, text, wanted) in [
        ("password", "swordfish", "[redacted password]"),
        ("api_key", "a1b2c3d4e5", "[redacted key]"),
        ("clientSecret", "a1b2c3d4e5", "[redacted secret]"),
        ("token", "Token", "Token"),
        ("password", "", ""),
        ("description", "a1b2c3d4e5", "a1b2c3d4e5"),
        ("command", "curl -u x --password=hunter2", "curl -u x --password=[redacted password]"),
    ] {
        assert_eq!(redactor.mask_named(name, text), wanted, "{name}");
    }
    assert_eq!(redactor.words().unwrap(), "1 key, 2 passwords, 1 secret");
}

#[test]
fn several_secrets_are_all_masked_and_counted() {
    let text = format!(
        "export GITHUB_TOKEN=ghp_{0}\nexport OTHER=ghp_{0}\npassword: hunter22\nplain text stays",
        made_up(36)
    );
    let (text, counts) = masked(&text);
    assert_eq!(
        text,
        "export GITHUB_TOKEN=[redacted GitHub token]\nexport OTHER=[redacted GitHub token]\n\
         password: [redacted password]\nplain text stays"
    );
    assert_eq!(counts, [("GitHub token", 2), ("password", 1)]);
}
