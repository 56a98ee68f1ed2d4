#!/usr/bin/env node
// golden.mjs - asks the oracle every question of tests/fixtures/golden and writes the answers down:
//
//   env $(tests/oracle/install) sh -c '"$PI_NODE" tests/oracle/golden.mjs'
//
// The rules by which a test replays them are in tests/fixtures/README.md.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const fixtures = path.join(here, "..", "fixtures");
const SETS = ["samples", "cases", "corpus"];
const FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all"];
const MTIME = new Date("2026-01-31T12:00:00.000Z");
const LIMIT_MS = 20_000;

// ------------------------------------------------------------------ the folder the questions are about
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "golden-")));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
const files = {};
for (const set of SETS) {
	const to = path.join(folder, set);
	fs.mkdirSync(to);
	files[set] = fs.readdirSync(path.join(fixtures, set)).filter((name) => name.endsWith(".jsonl")).sort();
	for (const name of files[set]) {
		let bytes = fs.readFileSync(path.join(fixtures, set, name));
		if (bytes.includes("@DIR@")) bytes = bytes.toString("utf8").replaceAll("@DIR@", to);
		fs.writeFileSync(path.join(to, name), bytes);
		fs.utimesSync(path.join(to, name), MTIME, MTIME);
	}
}
const withPlaceholder = (text) => SETS.reduce((t, set) => t.replaceAll(path.join(folder, set), "@DIR@"), text).replaceAll(folder, "@ROOT@");

// ------------------------------------------------------------------ one pi for many questions
let child = null;
let answers = null;
function start() {
	const env = { ...process.env, TZ: "UTC", HOME: "/home/dev" };
	child = spawn(process.execPath, [path.join(here, "oracle.mjs"), "batch"], { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
	answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
}
async function ask(question) {
	if (!child) start();
	child.stdin.write(`${JSON.stringify(question)}\n`);
	const late = new Promise((resolve) => setTimeout(resolve, LIMIT_MS, null).unref());
	const got = await Promise.race([answers.next(), late]);
	if (got?.done) throw new Error(`the oracle ended at ${JSON.stringify(question)}`);
	if (got) return JSON.parse(withPlaceholder(got.value));
	child.kill("SIGKILL");
	child = null;
	return { error: "no answer" };
}

async function write(name, questions) {
	const lines = [];
	for (const question of questions) lines.push(`${JSON.stringify({ question, answer: await ask(question) })}\n`);
	fs.writeFileSync(path.join(fixtures, "golden", `${name}.jsonl`), lines.join(""));
	process.stderr.write(`${name}: ${lines.length} answers\n`);
}

/** Every id of a tree in the oracle's form: chains whose last element may be an array of chains. */
function* idsOf(chains) {
	const open = [...chains];
	for (let next = open.pop(); next; next = open.pop())
		for (const step of next) {
			if (Array.isArray(step)) open.push(...step);
			else yield step;
		}
}

/** The leaves to ask about: where pi stands is always asked without a leaf; samples give every entry, other sets the tips. */
function leavesOf(set, dump) {
	const tips = (dump.branches ?? []).map((branch) => branch.leaf);
	const ids = set === "samples" && Array.isArray(dump.tree) ? [...idsOf(dump.tree)] : tips.slice(0, 12);
	return { tips, ids: [...new Set(ids)].filter((id) => typeof id === "string").sort() };
}

// ------------------------------------------------------------------ the questions
const FINDS = ["user", "a1", "read ls", "branch TWO", "label", "nothing-has-this"];
for (const set of SETS) {
	const dumps = [];
	const trees = [];
	for (const name of files[set]) {
		const file = `${set}/${name}`;
		const first = await ask(["dump", file]);
		const { tips, ids } = leavesOf(set, first);
		// pi writes a fresh header into an empty file, so there is no answer that stays.
		if (fs.statSync(path.join(folder, file)).size === 0) continue;
		dumps.push(["dump", file, "--content"]);
		for (const filter of FILTERS) trees.push(["tree", file, "--filter", filter]);
		if (first.error || first.cyclic) continue;
		for (const leaf of ["null", "deadbee0", "", ...ids]) dumps.push(["dump", file, leaf, "--content"]);
		const others = (set === "samples" ? tips : tips.slice(0, 4)).filter((id) => typeof id === "string" && id !== first.leafId);
		for (const leaf of ["null", ...others]) for (const filter of set === "cases" ? ["default", "all"] : FILTERS) trees.push(["tree", file, leaf, "--filter", filter]);
		for (const find of FINDS) trees.push(["tree", file, "--filter", "default", "--find", find]);
		trees.push(["tree", file, "--filter", "all", "--find", "user"]);
		for (const width of ["20", "40"]) trees.push(["tree", file, "--filter", "all", "--width", width]);
	}
	if (set === "samples") trees.push(...keyed());
	await write(`${set}-dump`, dumps);
	await write(`${set}-tree`, trees);
}

/** Keys pressed in the selector: movement, folds, filter keys, copy. */
function keyed() {
	const [UP, DOWN, FOLD, UNFOLD, COPY] = ["\u001b[A", "\u001b[B", "\u001b[1;5D", "\u001b[1;5C", "\u0018"];
	const [DEFAULT, NO_TOOLS, USER, LABELED, ALL, CYCLE] = ["\u0004", "\u0014", "\u0015", "\f", "\u0001", "\u000f"];
	const sequences = [
		[UP], [UP, UP, UP], [DOWN], [FOLD], [FOLD, FOLD], [FOLD, FOLD, FOLD, FOLD], [UNFOLD], [UNFOLD, UNFOLD],
		[FOLD, FOLD, UNFOLD], [FOLD, FOLD, UP, UP, UNFOLD], [UP, UP, FOLD, ALL], [ALL, FOLD, FOLD], [USER], [USER, USER],
		[LABELED, DEFAULT], [NO_TOOLS, FOLD, FOLD], [CYCLE, CYCLE, CYCLE], [COPY], [UP, COPY], ["r", "e", "\u001b"], ["\u001b[5~"], ["\u001b[6~"],
	];
	const names = ["v3-branches.jsonl", "v3-two-roots.jsonl", "v3-compaction.jsonl", "v3-all-types.jsonl"];
	return names.flatMap((name) => sequences.map((keys) => ["tree", `samples/${name}`, "--filter", "default", "--keys", JSON.stringify(keys)]));
}

const QUERIES = [
	"", "hello", "PARSER", "write parser", '"duration strings"', '"Write  A  parser"', '"spaced name"', 'par"duration strings"loop', 'odd "quote', "re:pars.r", "re:^hello", "re:\\bq\\d$",
	"re: br(a|o)n ", "re:[", "re:", "prsr", "brnchy", "spcd nm", "work/demo", "dvprsr", "-a", "11111111-1", "r1", "6work", "nothing-has-this", "手書き", "🙏",
];
const lists = [["list", "."], ...SETS.map((set) => ["list", set, "--flat"])];
for (const cwd of ["/home/dev/proj", "/home/dev/parser", "/", "/nowhere"]) lists.push(...SETS.map((set) => ["list", set, "--flat", "--cwd", cwd]));
// Not in cases: a header whose id is a number makes pi's search fail as a whole.
for (const query of QUERIES) for (const set of ["samples", "corpus"]) for (const sort of ["relevance", "recent", "threaded"]) lists.push(["search", set, query, sort, "--flat"]);
for (const query of ["", "e"]) for (const set of SETS) lists.push(["search", set, query, "relevance", "--flat", "--named"]);
await write("lists", lists);
child.stdin.end();
await once(child, "close");
