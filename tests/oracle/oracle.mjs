#!/usr/bin/env node
// oracle.mjs - asks the real, installed pi 1.6.x what it makes of a session file, and prints
// ONE canonical JSON value, so that an independent implementation can be compared against it.
//
//   node oracle.mjs [--pi DIR] <file> [leafId|null]        dump (default mode)
//   node oracle.mjs [--pi DIR] list <root>                 SessionManager.listAll rows, in order
//   node oracle.mjs [--pi DIR] search <root> <query> [relevance|recent|threaded]
//   node oracle.mjs [--pi DIR] tree <file> [leafId|null]   the rows of the /tree selector
//   node oracle.mjs [--pi DIR] label <file> <id> <text>    append a label ("" clears it), print the line
//   node oracle.mjs [--pi DIR] rename <file> <name>        append a session_info, print the line
//   node oracle.mjs [--pi DIR] branch <file> <leafId>      createBranchedSession, print the new file
//   node oracle.mjs [--pi DIR] export <file> [leafId|null]   {text}: the branch as /export writes it
//   node oracle.mjs [--pi DIR] migrate <file>              print the file as pi leaves it after opening it
//   node oracle.mjs [--pi DIR] batch                       one process for many questions: each line of standard input is a JSON
//                                                          array of arguments for dump, list, search or tree (["tree","f.jsonl",
//                                                          "--filter","all"]); each answer is one line of JSON, {"error":…} where pi failed
//
// Entries of version-1 files, which pi numbers at random while it migrates them, are called v1#0, v1#1, ...
//
// options: --full (dump: whole texts, not only digests)   --content (dump: the content of each message exactly as sent)   --context-window N (default 200000)
//          --filter default|no-tools|user-only|labeled-only|all   --find TEXT   --width N   --select ID
//          --keys JSON   (tree: a JSON array of raw key strings fed to the selector)
//          --flat (list/search: <root> is one custom folder of *.jsonl)   --cwd DIR (list: SessionManager.list)
//          --named   --current FILE   --in-place (label/rename: change FILE itself instead of a copy)
//          --compact (one line of JSON)
//
// The package is found through --pi DIR or the environment variable PI_PACKAGE_DIR
// (the folder that holds pi's package.json and dist/). Node >= 22 is needed.
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

// ------------------------------------------------------------------ arguments
const opt = {};
let pos = [];
const valued = new Set(["pi", "context-window", "filter", "find", "width", "select", "cwd", "current", "keys"]);
function readArguments(argv) {
	for (const k of Object.keys(opt)) delete opt[k];
	pos = [];
	for (let i = 0; i < argv.length; i++) {
		const a = argv[i];
		if (a.startsWith("--") && a.length > 2) {
			const name = a.slice(2);
			opt[name] = valued.has(name) ? argv[++i] : true;
		} else pos.push(a);
	}
}
readArguments(process.argv.slice(2));
const die = (msg) => {
	process.stderr.write(`oracle: ${msg}\n`);
	process.exit(2);
};
const pkg = opt.pi ?? process.env.PI_PACKAGE_DIR;
if (!pkg) die("no pi package: give --pi DIR or set PI_PACKAGE_DIR");
if (!fs.existsSync(path.join(pkg, "dist", "core", "session-manager.js"))) die(`no dist/core/session-manager.js under ${pkg}`);
const MODES = new Set(["dump", "list", "search", "tree", "label", "rename", "branch", "export", "migrate", "batch"]);
const mode = MODES.has(pos[0]) ? pos.shift() : "dump";

// ------------------------------------------------------------------ sandbox: pi never sees the user's own ~/.pi
const realHome = os.homedir();
const box = fs.mkdtempSync(path.join(os.tmpdir(), "pi-oracle-"));
process.on("exit", () => fs.rmSync(box, { recursive: true, force: true }));
const agentDir = path.join(box, "agent");
fs.mkdirSync(agentDir, { recursive: true });
process.env.PI_CODING_AGENT_DIR = agentDir;
process.env.PI_OFFLINE = "1";
delete process.env.PI_CODING_AGENT_SESSION_DIR;

const load = (rel) => import(pathToFileURL(path.join(path.resolve(pkg), "dist", rel)).href);
const { SessionManager, buildSessionProjection } = await load("core/session-manager.js");

/** Lone surrogates leave as U+FFFD, so that strict JSON readers accept the answer. */
const wellFormed = (_key, v) => (typeof v === "string" ? v.toWellFormed() : v);
const out = (v) => process.stdout.write(`${opt.compact ? JSON.stringify(v, wellFormed) : JSON.stringify(v, wellFormed, 1)}\n`);
const sha = (s) => createHash("sha256").update(s, "utf8").digest("hex").slice(0, 16);
const iso = (d) => (d instanceof Date && !Number.isNaN(d.getTime()) ? d.toISOString() : null);
const stripAnsi = (s) =>
	s
		.replace(/\x1b\][^\x07\x1b]*(\x07|\x1b\\)/g, "")
		.replace(/\x1b_[^\x07\x1b]*(\x07|\x1b\\)/g, "")
		.replace(/\x1b\[[0-9;:?]*[A-Za-z]/g, "");

/** Copy FILE into a folder of its own inside the sandbox, mtime kept. */
function copyIn(file) {
	if (!file) die("no file given");
	const src = path.resolve(file);
	if (!fs.existsSync(src)) die(`no such file: ${src}`);
	const dir = fs.mkdtempSync(path.join(box, "s-"));
	const dst = path.join(dir, path.basename(src));
	fs.copyFileSync(src, dst);
	const st = fs.statSync(src);
	fs.utimesSync(dst, st.atime, st.mtime);
	return dst;
}

function rowOf(r, rel) {
	return {
		path: rel(r.path),
		id: r.id ?? null,
		cwd: r.cwd,
		name: r.name ?? null,
		parentSession: r.parentSessionPath ?? null,
		created: iso(r.created),
		modified: iso(r.modified),
		messageCount: r.messageCount,
		firstMessage: r.firstMessage,
		allMessagesText: { bytes: Buffer.byteLength(r.allMessagesText, "utf8"), sha: sha(r.allMessagesText) },
	};
}

/** Open a copy and say what opening did to its bytes. */
function openCopy(copy) {
	const before = fs.readFileSync(copy);
	const manager = SessionManager.open(copy);
	const after = fs.readFileSync(copy);
	let effect = "none";
	if (!before.equals(after)) {
		const plusNewline = Buffer.concat([before, Buffer.from("\n")]);
		effect = after.equals(plusNewline) ? "newline-appended" : before.length === 0 ? "header-written" : "rewritten";
	}
	return { manager, effect };
}

/** Header line of the copy before pi touches it: its stored version (1 when absent). */
function storedVersion(copy) {
	for (const line of fs.readFileSync(copy, "utf8").split("\n")) {
		if (!line.trim()) continue;
		try {
			const v = JSON.parse(line);
			if (v && typeof v === "object") return v.type === "session" ? (v.version ?? 1) : null;
		} catch {}
	}
	return null;
}

/** True when following parents could go round, over all lines (of equal ids, each counts): pi itself hangs on such files. */
function hasCycle(entries) {
	const parents = new Map();
	for (const e of entries)
		if (e && typeof e === "object") {
			if (!parents.has(e.id)) parents.set(e.id, new Set());
			if (e.parentId) parents.get(e.id).add(e.parentId);
		}
	const state = new Map(); // id -> 1 on the way, 2 done
	for (const start of parents.keys()) {
		const stack = [[start, null]];
		while (stack.length > 0) {
			const top = stack.at(-1);
			const [id] = top;
			if (top[1] === null) {
				if (state.get(id) === 2) {
					stack.pop();
					continue;
				}
				state.set(id, 1);
				top[1] = [...parents.get(id)].filter((q) => parents.has(q));
			}
			const next = top[1].pop();
			if (next === undefined) {
				state.set(id, 2);
				stack.pop();
			} else if (state.get(next) === 1) return true;
			else if (state.get(next) !== 2) stack.push([next, null]);
		}
	}
	return false;
}

function textOf(content) {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	return content
		.filter((b) => b && b.type === "text")
		.map((b) => b.text ?? "")
		.join("\n");
}
function kindsOf(content) {
	if (typeof content === "string") return "string";
	if (!Array.isArray(content)) return content === null ? null : typeof content;
	return content.map((b) => {
		if (!b || typeof b !== "object") return String(b);
		if (b.type === "toolCall") return `toolCall:${b.name}:${b.id}`;
		if (b.type === "image") return `image:${b.mimeType}`;
		return String(b.type);
	});
}

/** leaf argument: undefined = where pi puts it, "null" = before everything, else an id. */
const leafArg = (s) => (s === undefined ? undefined : s === "null" ? null : s);

async function dump(file, leafText) {
	const copy = copyIn(file);
	const version = storedVersion(copy);
	const rows = await SessionManager.listAll(path.dirname(copy));
	const row = rows.length ? rowOf(rows[0], (p) => path.basename(p)) : null;
	let manager;
	let effect;
	try {
		({ manager, effect } = openCopy(copy));
	} catch (e) {
		return { error: e.message.replaceAll(copy, "<file>"), storedVersion: version, row };
	}
	const entries = manager.getEntries();
	// v1 files get random ids while pi migrates them; name them by position so the output is stable.
	const alias = new Map();
	if (version !== null && version < 2) {
		entries.forEach((e, i) => {
			if (e && typeof e === "object") alias.set(e.id, `v1#${i}`);
		});
	}
	const I = (id) => (id === undefined ? null : (alias.get(id) ?? id));
	let leaf = leafArg(leafText);
	if (typeof leaf === "string" && leaf.startsWith("v1#")) leaf = [...alias].find(([, v]) => v === leaf)?.[0] ?? leaf;
	const defaultLeaf = manager.getLeafId();

	const result = {
		storedVersion: version,
		openEffect: effect,
		header: manager.getHeader(),
		cwd: manager.getCwd(),
		entryCount: manager.getEntryCount(), // distinct ids
		entryLines: entries.length, // lines, duplicates included
		entryTypes: {},
		leafId: I(defaultLeaf),
		name: manager.getSessionName() ?? null,
		labels: [],
	};
	for (const e of entries) result.entryTypes[e?.type ?? typeof e] = (result.entryTypes[e?.type ?? typeof e] ?? 0) + 1;
	result.entryTypes = Object.fromEntries(Object.entries(result.entryTypes).sort(([a], [b]) => (a < b ? -1 : 1)));
	// effective labels, whether or not the target still exists
	for (const [target, label] of manager.labelsById) {
		result.labels.push({ target: I(target), label, timestamp: manager.labelTimestampsById.get(target) ?? null });
	}
	if (version !== null && version < 2) {
		result.migratedEntries = entries.map((e) => ({
			id: I(e?.id),
			parentId: e?.parentId === null ? null : I(e?.parentId),
			type: e?.type ?? null,
			...(e?.type === "compaction" ? { firstKeptEntryId: I(e.firstKeptEntryId) } : {}),
			...(e?.type === "message" ? { role: e.message?.role ?? null } : {}),
		}));
	}

	// Tree, as chains: a chain is a list of ids; where a node has several children, the chain ends
	// with one array that holds the child chains in child order. The top is an array of root chains.
	const chain = (node) => {
		const c = [];
		let n = node;
		for (;;) {
			c.push(I(n.entry.id));
			if (n.children.length === 1) n = n.children[0];
			else {
				if (n.children.length > 1) c.push(n.children.map(chain));
				return c;
			}
		}
	};
	const cyclic = hasCycle(entries);
	result.cyclic = cyclic;
	// Equal ids that close a cycle give pi a tree that contains itself: do not walk it.
	const repeated = new Set(entries.map((e) => e?.id)).size < entries.length;
	try {
		result.tree = cyclic && repeated ? { error: "parent cycle" } : manager.getTree().map(chain);
	} catch (e) {
		result.tree = { error: e.message };
	}

	// Path (root first) of every entry that has no child.
	const hasChild = new Set(entries.map((e) => e?.parentId).filter((p) => p !== null && p !== undefined));
	result.branches = [];
	if (!cyclic) {
		const seen = new Set();
		for (const e of entries) {
			if (!e || typeof e !== "object" || hasChild.has(e.id) || seen.has(e.id) || e.id === undefined) continue;
			seen.add(e.id);
			result.branches.push({ leaf: I(e.id), path: manager.getBranch(e.id).map((x) => I(x.id)) });
		}
	}

	// Context at the chosen leaf, each message as convertToLlm hands it on.
	const { convertToLlm } = await load("core/messages.js");
	const useLeaf = leaf === undefined ? defaultLeaf : leaf;
	if (cyclic) result.context = { error: "parent cycle" };
	else {
		try {
			const byId = new Map(entries.map((e) => [e.id, e]));
			const projection = buildSessionProjection(entries, useLeaf, byId);
			const messages = [];
			for (const p of projection.entries) {
				for (const m of p.messages) {
					const llm = convertToLlm([m])[0];
					const base = { src: I(p.sourceEntry.id), from: m.role };
					if (!llm) messages.push({ ...base, role: null });
					else {
						const text = textOf(llm.content);
						messages.push({
							...base,
							role: llm.role,
							blocks: kindsOf(llm.content),
							bytes: Buffer.byteLength(text, "utf8"),
							sha: sha(text),
							// a summary without the words pi wraps around it
							...(typeof m.summary === "string" ? { inner: { bytes: Buffer.byteLength(m.summary, "utf8"), sha: sha(m.summary) } } : {}),
							...(opt.full ? { text } : {}),
							...(opt.content ? { content: llm.content } : {}),
						});
					}
				}
			}
			result.context = {
				leaf: useLeaf === null ? null : I(useLeaf),
				leafKnown: useLeaf === null || byId.has(useLeaf),
				entries: projection.entries.map((p) => I(p.sourceEntry.id)),
				messages,
				model: projection.model,
				thinkingLevel: projection.thinkingLevel,
			};
		} catch (e) {
			result.context = { error: e.message };
		}
	}

	// Totals: pi's own /session code, run on this manager.
	try {
		const { AgentSession } = await load("core/agent-session.js");
		const { getUsageCostBreakdown } = await load("core/usage-totals.js");
		const window = Number(opt["context-window"] ?? 200000);
		if (!cyclic) {
			if (useLeaf === null) manager.resetLeaf();
			else if (manager.getEntry(useLeaf)) manager.branch(useLeaf);
		}
		const self = {
			sessionManager: manager,
			_limitsModel: () => ({ contextWindow: window }),
			getContextUsage() {
				return cyclic ? undefined : AgentSession.prototype.getContextUsage.call(self);
			},
		};
		const s = AgentSession.prototype.getSessionStats.call(self);
		result.totals = {
			userMessages: s.userMessages,
			assistantMessages: s.assistantMessages,
			toolCalls: s.toolCalls,
			toolResults: s.toolResults,
			totalMessages: s.totalMessages,
			tokens: s.tokens,
			cost: s.cost,
			contextUsage: s.contextUsage ?? null,
			byModel: getUsageCostBreakdown(entries),
		};
	} catch (e) {
		// pi itself fails on assistant messages without usage or cost. Also give the sums it would
		// reach if every missing number were 0 (no context usage then).
		result.totals = { error: e.message };
		try {
			const { AgentSession } = await load("core/agent-session.js");
			const n = (v) => (typeof v === "number" ? v : 0);
			const full = (u) => ({ ...u, input: n(u?.input), output: n(u?.output), cacheRead: n(u?.cacheRead), cacheWrite: n(u?.cacheWrite), cost: { total: n(u?.cost?.total) } });
			const patched = entries
				.filter((x) => x && typeof x === "object" && (x.type !== "message" || (x.message && typeof x.message === "object")))
				.map((x) => {
					if (x.type === "message" && (x.message.role === "assistant" || x.message.usage)) return { ...x, message: { ...x.message, usage: full(x.message.usage) } };
					return x.usage || x.type === "usage" ? { ...x, usage: full(x.usage) } : x;
				});
			const s = AgentSession.prototype.getSessionStats.call({ sessionManager: { getEntries: () => patched }, getContextUsage: () => undefined });
			const { sessionFile, sessionId, contextUsage, ...lenient } = s;
			result.totals.lenient = lenient;
		} catch (e2) {
			result.totals.lenient = { error: e2.message };
		}
	}
	result.row = row;
	return result;
}

// ------------------------------------------------------------------ list / search
async function rowsOf(root) {
	if (!root) die("no root given");
	const abs = path.resolve(root);
	if (opt.cwd) {
		const rows = await SessionManager.list(opt.cwd, abs);
		return { rows, rel: (p) => path.relative(abs, p), back: (p) => p };
	}
	if (opt.flat) {
		const rows = await SessionManager.listAll(abs);
		return { rows, rel: (p) => path.relative(abs, p), back: (p) => p };
	}
	// <root> plays the part of <agentDir>/sessions.
	const link = path.join(agentDir, "sessions");
	fs.rmSync(link, { force: true }); // a batch may have asked before
	fs.symlinkSync(abs, link);
	const rows = await SessionManager.listAll();
	return { rows, rel: (p) => path.relative(link, p), back: (p) => path.join(abs, path.relative(link, p)) };
}

async function selector(rows, currentFile) {
	const { initTheme } = await load("modes/interactive/theme/theme.js");
	initTheme("dark", false);
	const { SessionSelectorComponent } = await load("modes/interactive/components/session-selector.js");
	const { KeybindingsManager } = await load("core/keybindings.js");
	const keybindings = new KeybindingsManager();
	const none = () => {};
	const c = new SessionSelectorComponent(async () => rows, async () => rows, none, none, none, none, { keybindings }, currentFile);
	await new Promise((r) => setTimeout(r, 10));
	return c.getSessionList();
}

async function list(root) {
	const { rows, rel, back } = await rowsOf(root);
	// thread over the real paths, as parentSession holds real paths
	const real = rows.map((r) => ({ ...r, path: back(r.path) }));
	const sl = await selector(real, opt.current ? path.resolve(opt.current) : undefined);
	const abs = path.resolve(root);
	return {
		rows: rows.map((r) => rowOf(r, rel)),
		threaded: sl.filteredSessions.map((n) => ({
			path: path.relative(abs, n.session.path),
			depth: n.depth,
			isLast: n.isLast,
			prefix: sl.buildTreePrefix(n),
			current: sl.isCurrentSessionPath(n.session.path),
		})),
	};
}

async function search(root, query, sort = "relevance") {
	const { rows, rel } = await rowsOf(root);
	const S = await load("modes/interactive/components/session-selector-search.js");
	const parsed = S.parseSearchQuery(query ?? "");
	const hits = S.filterAndSortSessions(rows, query ?? "", sort, opt.named ? "named" : "all");
	return {
		mode: parsed.mode,
		tokens: parsed.tokens,
		error: parsed.error ?? null,
		hits: hits.map((r) => ({ path: rel(r.path), id: r.id, score: S.matchSession(r, parsed).score })),
	};
}

// ------------------------------------------------------------------ /tree rows
async function tree(file, leafText) {
	const copy = copyIn(file);
	const version = storedVersion(copy);
	const { manager } = openCopy(copy);
	if (hasCycle(manager.getEntries())) return { error: "parent cycle" };
	const alias = new Map();
	if (version !== null && version < 2) manager.getEntries().forEach((e, i) => alias.set(e.id, `v1#${i}`));
	const I = (id) => alias.get(id) ?? id ?? null;
	let leaf = leafArg(leafText);
	if (typeof leaf === "string" && leaf.startsWith("v1#")) leaf = [...alias].find(([, v]) => v === leaf)?.[0] ?? leaf;
	if (leaf === null) manager.resetLeaf();
	else if (leaf !== undefined) manager.branch(leaf);
	process.env.HOME = realHome;
	const { initTheme } = await load("modes/interactive/theme/theme.js");
	initTheme("dark", false);
	const { TreeSelectorComponent } = await load("modes/interactive/components/tree-selector.js");
	const { KeybindingsManager } = await load("core/keybindings.js");
	const piTui = [path.join(pkg, "..", "pi-tui"), path.join(pkg, "node_modules", "@earendil-works", "pi-tui")].find((p) => fs.existsSync(p));
	const { setKeybindings } = await import(pathToFileURL(path.join(path.resolve(piTui), "dist", "index.js")).href);
	setKeybindings(new KeybindingsManager());
	const log = [];
	const count = manager.getEntries().length;
	const c = new TreeSelectorComponent(
		manager.getTree(),
		manager.getLeafId(),
		2 * (count + 10),
		(id) => log.push({ select: I(id) }),
		() => log.push({ cancel: true }),
		(id, label) => log.push({ label: I(id), text: label ?? null }),
		opt.select,
		opt.filter,
	);
	c.onCopy = (text) => log.push({ copy: text ?? null });
	if (opt.find) for (const ch of opt.find) c.handleInput(ch);
	if (opt.keys) for (const k of JSON.parse(opt.keys)) c.handleInput(k);
	const l = c.getTreeList();
	const lines = l.render(Number(opt.width ?? 300)).map((s) => stripAnsi(s));
	return {
		leafId: I(manager.getLeafId()),
		filter: l.filterMode,
		search: l.getSearchQuery(),
		selected: I(l.getSelectedNode()?.entry.id),
		status: lines.at(-1),
		rows: l.filteredNodes.map((n, i) => ({
			id: I(n.node.entry.id),
			indent: n.indent,
			connector: n.showConnector && !n.isVirtualRootChild ? (n.isLast ? "last" : "mid") : null,
			gutters: n.gutters.map((g) => `${g.position}${g.show ? "|" : " "}`),
			active: l.activePathIds.has(n.node.entry.id),
			line: lines[i].trimEnd(),
			copy: l.getEntryCopyText(n.node) === undefined ? null : sha(l.getEntryCopyText(n.node)),
		})),
		log,
	};
}

// ------------------------------------------------------------------ writes
/** "v1#3" names the fourth entry of a file pi has just given ids to. */
const realId = (manager, id) => (/^v1#\d+$/.test(id ?? "") ? (manager.getEntries()[Number(id.slice(3))]?.id ?? id) : id);

function appendAndPrint(file, write) {
	const target = opt["in-place"] ? path.resolve(file) : copyIn(file);
	const manager = SessionManager.open(target); // may repair or migrate first, as pi does
	const before = fs.readFileSync(target);
	write(manager);
	process.stdout.write(fs.readFileSync(target).subarray(before.length).toString("utf8"));
}

/** The modes that answer with a value. */
/** The branch as the session file that /export writes. */
async function exported(file, leaf) {
	const { serializeSessionBranch } = await load("core/session-export.js");
	const { manager } = openCopy(copyIn(file));
	if (leaf === "null") manager.resetLeaf();
	else if (leaf !== undefined) manager.branch(realId(manager, leaf));
	return { text: serializeSessionBranch(manager) };
}

const answer = { export: () => exported(pos[0], pos[1]), dump: () => dump(pos[0], pos[1]), list: () => list(pos[0]), search: () => search(pos[0], pos[1], pos[2]), tree: () => tree(pos[0], pos[1]) };
const plain = (e) => e.message.replaceAll(box, "<box>").replace(/<box>\/s-[A-Za-z0-9]+\//g, "");

async function batch() {
	const { createInterface } = await import("node:readline");
	for await (const line of createInterface({ input: process.stdin })) {
		if (!line.trim()) continue;
		let value;
		try {
			readArguments(JSON.parse(line));
			const m = pos[0] in answer ? pos.shift() : "dump";
			value = await answer[m]();
		} catch (e) {
			value = { error: plain(e) };
		}
		process.stdout.write(`${JSON.stringify(value, wellFormed)}\n`);
	}
}

try {
	if (mode in answer) out(await answer[mode]());
	else if (mode === "batch") await batch();
	else if (mode === "label") appendAndPrint(pos[0], (m) => m.appendLabelChange(realId(m, pos[1]), pos[2] ? pos[2] : undefined));
	else if (mode === "rename") appendAndPrint(pos[0], (m) => m.appendSessionInfo(pos[1] ?? ""));
	else if (mode === "branch") {
		const copy = copyIn(pos[0]);
		const manager = SessionManager.open(copy);
		const made = manager.createBranchedSession(realId(manager, pos[1]));
		process.stdout.write(fs.existsSync(made) ? fs.readFileSync(made, "utf8").replaceAll(copy, path.resolve(pos[0])) : "");
	} else if (mode === "migrate") {
		const copy = copyIn(pos[0]);
		SessionManager.open(copy);
		process.stdout.write(fs.readFileSync(copy, "utf8"));
	}
	// Importing pi may leave timers behind; do not wait for them.
	await new Promise((r) => process.stdout.write("", r));
	process.exit(0);
} catch (e) {
	process.stderr.write(`oracle: ${plain(e)}\n`);
	process.exit(1);
}
