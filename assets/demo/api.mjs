// ~/work/api: a family of three, a flaky test, a leak, release notes, an upgrade.
import { Session, hours, minutes, days } from "./session.mjs";

const AGENTS = ["Rust, axum, sqlx. `cargo test -p api` before you say done.", "Errors go through `ApiError`; no unwrap outside tests."];

const ROUTES = `use axum::{Router, routing::{get, post}};

use crate::{auth, health, invoices, state::Db};

pub fn routes(db: Db) -> Router {
    Router::new()
        .route("/health", get(health::check))
        .route("/invoices", get(invoices::list).post(invoices::create))
        .route("/invoices/{id}", get(invoices::show))
        .route("/login", post(auth::login))
        .with_state(db)
}
`;

const AUTH = `use axum::{Json, extract::State, http::StatusCode};
use serde::Deserialize;

use crate::{error::ApiError, jwt, state::Db};

#[derive(Deserialize)]
pub struct Credentials {
    email: String,
    password: String,
}

/// Finds the user and checks the password.
async fn verify(db: &Db, given: &Credentials) -> Result<User, ApiError> {
    let user = db.user_by_email(&given.email).await?;
    if !argon2::verify(&user.hash, &given.password)? {
        return Err(ApiError::Unauthorised);
    }
    Ok(user)
}

pub async fn login(State(db): State<Db>, Json(given): Json<Credentials>) -> Result<String, ApiError> {
    let user = verify(&db, &given).await?;
    let token = jwt::sign(&user)?;
    Ok(token)
}

pub async fn logout(State(_db): State<Db>) -> StatusCode {
    StatusCode::NO_CONTENT
}
`;

const MIGRATION = `create table sessions (
    id          uuid primary key,
    user_id     bigint not null references users (id) on delete cascade,
    created_at  timestamptz not null default now(),
    expires_at  timestamptz not null
);
create index sessions_expiry on sessions (expires_at);
`;

const MAIN_TOML = `[package]
name = "api"
version = "1.8.2"
edition = "2024"

[dependencies]
axum = "0.8"
axum-extra = { version = "0.10", features = ["cookie-signed"] }
sqlx = { version = "0.8", features = ["postgres", "runtime-tokio"] }
tokio = { version = "1", features = ["full"] }
`;

const passed = (n, seconds, extra = "") => `   Compiling api v1.8.2
    Finished \`test\` profile [unoptimized + debuginfo] target(s) in 6.21s
     Running unittests src/lib.rs (target/debug/deps/api-3f1c)

running ${n} tests
${Array.from({ length: Math.min(n, 28) }, (_, i) => `test ${["auth", "health", "invoices", "routes", "state"][i % 5]}::case_${String(i + 1).padStart(2, "0")} ... ok`).join("\n")}
${extra}
test result: \u001b[32mok\u001b[0m. ${n} passed; 0 failed; 0 ignored; 0 measured; finished in ${seconds}s
`;

export function family(folder) {
	const s = new Session("refactor-auth-module", { cwd: "work/api", start: hours(5), thinking: "high", context: AGENTS, skills: ["sql-migrations: how we write and test migrations", "release: how a version goes out"], weight: 55.4 });
	s.files = { "src/routes.rs": ROUTES, "src/auth.rs": AUTH, "migrations/0007_sessions.sql": MIGRATION, "Cargo.toml": MAIN_TOML };

	s.user("add login to the API, use the session table we already have");
	s.title("Refactor auth module");
	s.read("I'll look at the routes first, then the session table.", "src/routes.rs", { range: { offset: 1, limit: 80 }, think: "The user says there is a session table already. Before choosing anything I want to see how login is wired and whether the table is used by anybody." });
	s.grep(null, "sessions", "migrations", "migrations/0007_sessions.sql:1:create table sessions (\nmigrations/0007_sessions.sql:7:create index sessions_expiry on sessions (expires_at);");
	s.read(null, "migrations/0007_sessions.sql");
	s.run("The table exists and nobody reads it. Let me see that the tests are green before I touch anything.", "cargo test -p api", passed(28, "1.92"), { took: 8400 });
	const crossroads = s.say(s.think("Two designs. A signed JWT needs no lookup but cannot be revoked before it expires. A session id in a cookie needs one lookup by primary key, which we do anyway to load the user, and logout becomes a delete."), "Two ways to do this: cookies or JWT.\n\n| | signed cookie + `sessions` | JWT |\n|---|---|---|\n| logout | delete the row | wait for expiry, or keep a deny list |\n| lookup per request | one, by primary key | none |\n| secret rotation | old cookies stop working | two keys for a while |\n\nThe table already has an id, a user and an expiry, so **cookies** are the smaller change. Which one do you want?");

	// The road not taken: two turns, aborted.
	s.user("use JWT, the mobile app wants tokens anyway");
	s.grep("Then the signing code needs a key id and a short expiry.", "jwt::", "src", "src/auth.rs:4:use crate::{error::ApiError, jwt, state::Db};\nsrc/auth.rs:23:    let token = jwt::sign(&user)?;");
	s.run(null, "cargo add jsonwebtoken && cargo check -p api", "    Updating workspace index\n      Adding jsonwebtoken v9.3 to dependencies\nerror[E0433]: failed to resolve: use of undeclared type `Header`\n  --> src/jwt.rs:11:26\n   |\n11 |     jsonwebtoken::encode(&Header::default(), &claims, &key())\n   |                          ^^^^^^ use of undeclared type `Header`", { exit: 101, took: 5200 });
	s.user("hm, wait. How would logout work?");
	const abandoned = s.say("With JWT there are three ways, none of them small: a deny list that every request", { stopReason: "aborted", errorMessage: "Request was aborted." });

	// The road taken.
	s.go(crossroads);
	s.leave(abandoned, "The JWT branch was tried for two turns: jsonwebtoken was added, the build failed on an import, and the question how logout should work was left open. Nothing of it was committed.", { readFiles: [], modifiedFiles: ["Cargo.toml"] });
	const cookies = s.user("use cookies, keep it boring");
	const plan = s.say(s.think("Boring means: one place that opens a session, one extractor that checks it, one delete on logout. Signed id, HttpOnly, SameSite=Lax."), "The session table already has what we need: an id, the user, and an expiry. I will sign the id, put it in a cookie that scripts cannot read, and check it in one place.\n\n1. `Db::open_session` inserts a row and returns its id\n2. `login` puts the signed id into the jar\n3. an extractor `CurrentUser` reads it back and loads the user\n4. `logout` deletes the row and the cookie\n5. a nightly job removes expired rows\n\nNothing else changes: the routes keep their paths, and the tests keep their names.");
	s.read(null, "src/auth.rs");
	const login = s.edit(null, "src/auth.rs", [
		["pub async fn login(State(db): State<Db>, Json(given): Json<Credentials>) -> Result<String, ApiError> {\n    let user = verify(&db, &given).await?;\n    let token = jwt::sign(&user)?;\n    Ok(token)\n}", "pub async fn login(State(db): State<Db>, jar: SignedCookieJar, Json(given): Json<Credentials>) -> Result<SignedCookieJar, ApiError> {\n    let user = verify(&db, &given).await?;\n    let id = db.open_session(user.id).await?;\n    Ok(jar.add(Cookie::build((\"sid\", id.to_string())).http_only(true).same_site(SameSite::Lax).path(\"/\")))\n}"],
		["use crate::{error::ApiError, jwt, state::Db};", "use axum_extra::extract::cookie::{Cookie, SameSite, SignedCookieJar};\n\nuse crate::{error::ApiError, state::Db};"],
	]);
	s.write("Now the one place that checks it.", "src/current_user.rs", `use axum::{extract::FromRequestParts, http::request::Parts};
use axum_extra::extract::cookie::SignedCookieJar;

use crate::{error::ApiError, state::Db};

/// The user whose session cookie came with the request.
pub struct CurrentUser(pub User);

impl FromRequestParts<Db> for CurrentUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, db: &Db) -> Result<Self, ApiError> {
        let jar = SignedCookieJar::from_request_parts(parts, db).await?;
        let id = jar.get("sid").ok_or(ApiError::Unauthorised)?.value().parse()?;
        db.user_of_session(id).await?.map(Self).ok_or(ApiError::Unauthorised)
    }
}
`);
	s.edit("And logout deletes the row.", "src/auth.rs", [["pub async fn logout(State(_db): State<Db>) -> StatusCode {\n    StatusCode::NO_CONTENT\n}", "pub async fn logout(State(db): State<Db>, jar: SignedCookieJar) -> Result<(SignedCookieJar, StatusCode), ApiError> {\n    if let Some(cookie) = jar.get(\"sid\") {\n        db.close_session(cookie.value().parse()?).await?;\n    }\n    Ok((jar.remove(Cookie::from(\"sid\")), StatusCode::NO_CONTENT))\n}"]]);
	s.run(null, "cargo test -p api", passed(31, "2.04", "test auth::logout_deletes_the_row ... ok\ntest auth::cookie_is_signed ... ok\ntest auth::expired_session_is_refused ... ok"), { took: 8400 });
	const done = s.say("Done. 31 tests pass. The cookie is signed, expires with the row, and logging out deletes the row.\n\nChanged: `src/auth.rs`, `src/current_user.rs` (new).");
	s.label(done, "checkpoint-1");
	s.bash("env | grep TOKEN", "API_TOKEN=not-a-real-token\nCI_TOKEN=also-invented\n", { hidden: true });
	s.bash("git commit -qam 'Log in with a signed session cookie' && git log --oneline -1", "4be21d7 Log in with a signed session cookie\n");
	s.user("the invoices endpoints should need a login too, all of them");
	s.read(null, "src/routes.rs");
	s.edit("Three handlers take `CurrentUser`; the router itself stays as it is.", "src/routes.rs", [["use crate::{auth, health, invoices, state::Db};", "use crate::{auth, current_user::CurrentUser, health, invoices, state::Db};"], [".route(\"/login\", post(auth::login))", ".route(\"/login\", post(auth::login))\n        .route(\"/logout\", post(auth::logout))"]]);
	s.run(null, "cargo test -p api invoices", passed(12, "0.71"), { took: 5100 });
	s.say("All three invoice routes answer 401 without a session now, and `/logout` is wired.");
	s.user("what if two tabs log in at once?");
	const lost = s.say({ stopReason: "error", errorMessage: "connection lost: upstream closed the stream" });
	s.user("what if two tabs log in at once?");
	s.say("Each login opens its own row, so the tabs share the newest cookie and the older row simply expires. Nothing is overwritten. If you want *one* session per user, `open_session` would need `on conflict (user_id) do update`; I would not.");

	s.at(minutes(126));
	const summary = "The user is moving the API from token auth to sessions.\n\n## Done so far\n- cookies instead of JWT: signed id, `HttpOnly`, `SameSite=Lax`, expiry in the row\n- `src/auth.rs` opens and closes sessions, `src/current_user.rs` is the one place that checks\n- invoices need a login; 31 tests pass; committed as 4be21d7\n\n## Open\n- rate limits on `/login`\n- nightly removal of expired rows";
	s.compact(cookies, summary, { readFiles: ["migrations/0007_sessions.sql"], modifiedFiles: ["src/auth.rs", "src/current_user.rs", "src/routes.rs"] });
	s.replace(plan, [{ type: "text", text: "The session table already has what we need. [long plan omitted, it is done]" }]);
	s.omit(lost);
	s.user("now rate-limit the endpoint");
	s.edit("Per address, on `/login` alone.", "Cargo.toml", [["tokio = ", "tower_governor = \"0.7\"\ntokio = "]]);
	s.edit(null, "src/routes.rs", [[".route(\"/login\", post(auth::login))", ".route(\"/login\", post(auth::login).layer(limits::per_minute(10)))"]]);
	s.run(null, "cargo test -p api limits", passed(3, "0.40", "test limits::eleventh_login_in_a_minute_is_refused ... ok"), { took: 6100 });
	s.say("Added tower-governor, 10 per minute and address, on `/login` only. The eleventh try gets `429` with `retry-after`.");
	s.save(folder);

	// A clone taken at the checkpoint.
	const redis = s.fork("try-sessions-instead", done, { start: minutes(96) });
	redis.title("try sessions instead");
	redis.user("before we commit to the table: what would redis sessions look like?");
	redis.run("Let me see whether anything here talks to redis yet.", "rg -n redis --glob '!target'", "docker-compose.yml:14:  redis:\ndocker-compose.yml:15:    image: redis:7-alpine", { took: 90 });
	redis.say("The container is there, the code is not. The change is one trait:\n\n```rust\npub trait Sessions {\n    async fn open(&self, user: UserId) -> Result<SessionId, ApiError>;\n    async fn user_of(&self, id: SessionId) -> Result<Option<UserId>, ApiError>;\n    async fn close(&self, id: SessionId) -> Result<(), ApiError>;\n}\n```\n\nRedis gives expiry for free (`SET … EX`), costs a second store to back up and to be down. With one lookup per request at our load I measured no difference worth having.");
	redis.use("haiku", "off");
	redis.user("measure it, don't guess");
	redis.run(null, "cargo bench -p api --bench sessions -- --quick", "postgres/lookup         time:   [212.4 µs 214.0 µs 215.9 µs]\nredis/lookup            time:   [ 96.1 µs  97.8 µs  99.0 µs]\npostgres/open           time:   [388.0 µs 391.7 µs 396.2 µs]\nredis/open              time:   [101.3 µs 102.2 µs 103.5 µs]", { took: 41_000, timeout: 120 });
	redis.at(minutes(63));
	redis.say("Measured, 1 000 requests each:\n\n- lookup: **214 µs** in Postgres, **98 µs** in Redis\n- open: **392 µs** against **102 µs**\n\nA request takes 9 ms, so this is about 1 %. I would stay with the table.");
	redis.save(folder);

	// A fork at the prompt that chose cookies; the last writer was killed while writing.
	const jwt = s.fork("jwt-variant", crossroads, { start: minutes(100) });
	jwt.title("jwt variant");
	jwt.files["src/auth.rs"] = AUTH;
	jwt.user("use JWT, but short-lived: 15 minutes, with a refresh token in the table");
	jwt.read("Then the row becomes the refresh token, and the JWT never needs revoking.", "src/auth.rs");
	jwt.edit(null, "src/auth.rs", [["    let token = jwt::sign(&user)?;\n    Ok(token)", "    let refresh = db.open_session(user.id).await?;\n    let token = jwt::sign(&user, Duration::minutes(15))?;\n    Ok(Json(Tokens { token, refresh }))"]]);
	jwt.run(null, "cargo test -p api auth", passed(9, "0.55"), { took: 5000 });
	jwt.say("Works: the token lives 15 minutes, `/refresh` trades the row for a new one, logout deletes the row.");
	jwt.user("and the mobile app?");
	jwt.at(minutes(71));
	jwt.say("It stores the refresh token in the keychain and asks for a new token when it sees `401`. One interceptor, about 30 lines of Kotlin.");
	jwt.user("sketch it");
	jwt.say("```kotlin\nclass Refreshing(private val store: TokenStore) : Interceptor {\n    override fun intercept(chain: Interceptor.Chain): Response {\n        val first = chain.proceed(chain.request().with(store.token))\n        if (first.code != 401) return first\n        first.close()\n        return chain.proceed(chain.request().with(store.refresh()))\n    }\n}\n```");
	jwt.save(folder, {
		damage: (lines) => {
			lines.splice(lines.length - 2, 0, '{"type":"message","id":"5f0c11d2","parentId":');
			return lines;
		},
		tail: '\n{"type":"message","id":"e4b0a713","parentId":"1c22',
	});
}

export function flaky(folder) {
	const s = new Session("fix-flaky-login-test", { cwd: "work/api", start: days(3) + minutes(9), model: "codex", thinking: "low", context: AGENTS, weight: 2 });
	s.user("fix flaky login test");
	s.run("I'll run it until it fails.", "for i in $(seq 50); do cargo test -p api login_expires -- --exact || break; done 2>&1 | tail -5", "thread 'auth::login_expires' panicked at src/auth.rs:88:9:\nassertion `left == right` failed\n  left: 401\n right: 200", { exit: 101, took: 47_000 });
	s.grep(null, "sleep", "src/auth.rs", "src/auth.rs:84:        tokio::time::sleep(Duration::from_millis(1000)).await;");
	s.say("The test sleeps one second and the session lives one second: whoever wins, wins. I'll give it a fixed clock.");
	s.user("do it");
	s.run(null, "cargo test -p api login_expires", passed(1, "0.00", "test auth::login_expires ... ok"), { took: 6000 });
	s.at(days(3));
	s.say("Fixed: `login_expires` moves a test clock instead of sleeping. 500 runs, no failure, and the suite is a second faster.");
	s.save(folder);
}

export function leak(folder) {
	const s = new Session("pool-leak", { cwd: "work/api", start: days(5) + hours(3), thinking: "high", context: AGENTS, weight: 3 });
	s.title("why does the pool leak under load?");
	s.user("why does the pool leak under load? After an hour every request waits 30 s and then fails with PoolTimedOut.");
	const questions = [
		["idle", "select state, count(*) from pg_stat_activity group by 1", " state               | count\n---------------------+-------\n active              |     2\n idle                |     3\n idle in transaction |    15", "Fifteen connections are idle *in a transaction*. Somebody begins one and neither commits nor rolls back."],
		["who", "select left(query, 60), count(*) from pg_stat_activity where state = 'idle in transaction' group by 1", " left                                                         | count\n--------------------------------------------------------------+-------\n select id, total from invoices where customer_id = $1         |    15", "All fifteen stopped after the same query: the invoice list."],
		["since", "select min(now() - xact_start), max(now() - xact_start) from pg_stat_activity where state = 'idle in transaction'", " min             | max\n-----------------+-----------------\n 00:00:41.020931 | 00:58:12.774120", "The oldest is 58 minutes old, so they are never given back."],
	];
	let first = null;
	for (const [name, query, table, answer] of questions) {
		s.run(null, `psql -c "${query}"`, table, { took: 310 });
		const said = s.say(answer);
		first ??= said;
		s.user({ idle: "who holds them?", who: "since when?", since: "find the code" }[name]);
	}
	s.grep(null, "begin\\(\\)", "src", "src/invoices.rs:41:    let mut tx = db.pool.begin().await?;\nsrc/invoices.rs:97:    let mut tx = db.pool.begin().await?;\nsrc/payments.rs:18:    let mut tx = db.pool.begin().await?;");
	const wrong = s.say("Three places begin a transaction. My first suspicion is `payments.rs`: it calls another service while the transaction is open.");
	s.user("try a timeout there");
	s.run(null, "cargo test -p api payments && ./load.sh 60", "requests 18240  failed 212  p99 30004 ms", { took: 64_000 });
	const dead = s.say("No change: 212 failures, p99 still at the pool timeout. So it is not the payments call.");
	s.label(dead, "dead end");
	s.go(wrong);
	s.user("look at invoices.rs:41 instead, the list is what hangs");
	s.step(null, "read", { path: "src/invoices.rs", offset: 36, limit: 22 }, "pub async fn list(State(db): State<Db>, user: CurrentUser) -> Result<Response, ApiError> {\n    let mut tx = db.pool.begin().await?;\n    let rows = invoices_of(&mut tx, user.0.id);\n    let stream = rows.map_ok(|row| serde_json::to_vec(&row));\n    Ok(Body::from_stream(stream).into_response())\n}");
	const cause = s.say(s.think("The body is a stream that borrows the transaction's connection. If the client goes away, hyper drops the body... the transaction is moved into the stream, so it is dropped with it. sqlx's rollback on drop is queued on the connection and runs when it is returned. But the stream holds `rows`, which is mid-fetch: the connection still has unread rows, so it is not returned until they are drained."), "**Found it.** The response body streams straight from the transaction. When a client disconnects half way, the connection has unread rows, and the rollback waits for somebody to drain them. Nobody does.\n\n1. client opens the list, reads one chunk, leaves\n2. the body is dropped with rows still on the wire\n3. the connection stays *idle in transaction* for ever");
	s.label(cause, "root cause");
	s.user("smallest fix?");
	s.run("Read the page first, then answer: the list is at most 200 rows.", "cargo test -p api invoices && ./load.sh 600", "requests 181904  failed 0  p99 38 ms", { took: 610_000, timeout: 900 });
	const fixed = s.say("Fixed: `fetch_all` inside the transaction, commit, then answer. Ten minutes under load: 181 904 requests, none failed, p99 **38 ms**, no connection idle in a transaction.");
	s.label(fixed, "fixed");
	s.label(first, "first clue");
	s.label(first, null);
	s.user("write that down for the team, three sentences");
	s.at(days(5));
	s.say("A streamed response kept its database transaction open, and a client that left half way left it open for ever. After an hour all twenty connections were waiting for readers that were gone. Lists now read their page first and answer from memory; please do not stream from a transaction.");
	s.save(folder);
}

export function notes(folder) {
	const s = new Session("release-notes", { cwd: "work/api", start: days(8) + minutes(12), model: "sonnet", context: AGENTS });
	s.title("release notes 2.0");
	s.user("write the release notes for 2.0 from the git log. Markdown, with an upgrade guide.");
	s.run(null, "git log --oneline v1.8.2..HEAD", "9c1e77a Lists read their page before they answer\n4be21d7 Log in with a signed session cookie\n77d0aa1 Rate-limit the login\n1f2b9c3 Give every error a stable code\n0aa4e10 Drop the v1 paths\nc41d98e Page the invoice list", { took: 60 });
	s.say(NOTES);
	s.user("shorter intro, and say *why* v1 is gone");
	s.at(days(8));
	s.say("# API 2.0\n\nSessions you can end, lists that do not hang, errors you can match on.\n\n> **Why v1 is gone.** Its paths carried the token in the query string, where every proxy logged it. We could not make that safe, so we removed it.\n\nThe rest stays as above.");
	s.save(folder);
}

const NOTES = `# API 2.0

This release changes how people log in, how lists are paged, and how errors look. It removes the paths under \`/v1\`.

## Highlights

- **Sessions instead of tokens.** \`POST /login\` sets a signed cookie; \`POST /logout\` ends the session *at once*.
- **Lists are paged.** 50 rows, at most 200, with a cursor.
- **Errors have codes.** Match on \`code\`, never on \`message\`.
  - \`unauthorised\` — no session, or an expired one
  - \`rate_limited\` — see \`retry-after\`
  - \`not_found\` — also for things that are not yours

## Upgrade guide

1. Replace the \`Authorization\` header by the cookie jar of your HTTP client.
2. Follow \`next\` until it is \`null\`:

   \`\`\`js
   async function* invoices(get) {
     for (let next = "/invoices"; next; ) {
       const page = await get(next);
       yield* page.rows;
       next = page.next;
     }
   }
   \`\`\`

3. Delete every use of \`/v1\`.

### What moved

| 1.x | 2.0 | note |
|---|---|---|
| \`GET /v1/invoices?token=…\` | \`GET /invoices\` | cookie, paged |
| \`POST /v1/token\` | \`POST /login\` | sets \`sid\` |
| – | \`POST /logout\` | new |
| \`{"error":"…"}\` | \`{"code":"…","message":"…"}\` | codes are stable |

### Trying it

\`\`\`sh
curl -c jar -d '{"email":"me@example.org","password":"…"}' https://api.example.org/login
curl -b jar 'https://api.example.org/invoices?limit=2'
\`\`\`

\`\`\`json
{ "rows": [{ "id": 41, "total": "12.50" }, { "id": 42, "total": "8.00" }], "next": "/invoices?after=42" }
\`\`\`

## Fixed

- [x] connections no longer leak when a client leaves half way
- [x] the login test no longer sleeps
- [ ] time zones in invoice dates (2.0.1)

---

Thanks to everybody who read the [proposal](https://example.org/sessions) and said ~~nothing~~ what was wrong with it.`;

export function upgrade(folder) {
	const s = new Session("upgrade-axum", { cwd: "work/api", start: days(15) + hours(1), model: "codex", thinking: "low", context: AGENTS, weight: 2 });
	s.files = { "Cargo.toml": MAIN_TOML.replace('axum = "0.8"', 'axum = "0.7"'), "src/routes.rs": ROUTES.replaceAll("{id}", ":id") };
	s.user("upgrade to axum 0.8");
	s.title("axum upgrade");
	s.edit(null, "Cargo.toml", [['axum = "0.7"', 'axum = "0.8"']]);
	s.run(null, "cargo check -p api", "error: Path segments must not start with `:`. For capture groups, use `{capture}`.", { exit: 101, took: 21_000 });
	s.edit("Path parameters changed their form.", "src/routes.rs", [["/invoices/:id", "/invoices/{id}"]]);
	s.run(null, "cargo test -p api", passed(24, "1.70"), { took: 28_000 });
	s.say("Upgraded. One route used the old `:id` form; 24 tests pass.");
	s.user("anything else in the changelog that concerns us?");
	s.at(days(14) + hours(2));
	s.say("`#[async_trait]` is no longer needed on extractors. We have one, and it can go.");
	s.title("");
	s.save(folder);
}
