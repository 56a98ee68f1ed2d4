// The real pi's SessionManager behind a line of JSON a question: each line of standard input is an act, each line of
// standard output its answer. Acts change the file that they name.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

process.env.PI_CODING_AGENT_DIR = fs.mkdtempSync(path.join(os.tmpdir(), "pi-writes-"));
process.env.PI_OFFLINE = "1";
process.on("exit", () => fs.rmSync(process.env.PI_CODING_AGENT_DIR, { recursive: true, force: true }));

const dist = path.join(path.resolve(process.argv[2]), "dist", "core", "session-manager.js");
const { SessionManager } = await import(pathToFileURL(dist).href);

const open = new Map();
const user = (text) => ({ role: "user", content: [{ type: "text", text }], timestamp: Date.now() });

const undefinedOf = (value) => (value?.$ === "undefined" ? undefined : value);
const NONE = "none";

/** The entry at a place of a manager's file. */
const place = (manager, { $entry }) => manager.getEntries()[$entry]?.id ?? NONE;

const argument = (manager, value) => {
	if (value?.$entry !== undefined) return place(manager, value);
	if (value && typeof value === "object" && !Array.isArray(value)) {
		return undefinedOf(value) && Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, undefinedOf(inner)]));
	}
	return value;
};

const node = ({ entry, label, labelTimestamp, children }) => ({
	id: entry.id,
	label: label ?? null,
	labelTimestamp: labelTimestamp ?? null,
	children: children.map(node),
});

/** A session under way, for operations one by one. */
let manager;

const acts = {
	make: ({ how, dir, cwd }) => {
		manager = how === "inMemory" ? SessionManager.inMemory(cwd) : how === "open" ? SessionManager.open(dir) : SessionManager.create(cwd, dir);
		return {};
	},
	call: ({ operation: { method, arguments: given }, dir }) => {
		const file = manager.getSessionFile();
		if (method === "reopen") {
			if (file && fs.existsSync(file)) manager = SessionManager.open(file);
		} else if (method === "setSessionFile") {
			if (manager.isPersisted()) manager.setSessionFile(path.join(dir, given[0]));
		} else {
			manager[method](...given.map((value) => argument(manager, value)));
		}
		return {};
	},
	/** What all getters say. */
	answers: ({ probe }) => {
		const id = probe ? place(manager, probe) : NONE;
		const context = manager.buildSessionContext();
		return {
			leafId: manager.getLeafId(),
			leafEntry: manager.getLeafEntry() ?? null,
			entry: manager.getEntry(id) ?? null,
			entries: manager.getEntries(),
			entryCount: manager.getEntryCount(),
			branch: manager.getBranch(),
			branchOf: manager.getBranch(id),
			children: manager.getChildren(id),
			labels: manager.getEntries().map((entry) => manager.getLabel(entry.id) ?? null),
			name: manager.getSessionName() ?? null,
			header: manager.getHeader(),
			cwd: manager.getCwd(),
			sessionDir: manager.getSessionDir(),
			sessionId: manager.getSessionId(),
			sessionFile: manager.getSessionFile() ?? null,
			isPersisted: manager.isPersisted(),
			usesDefault: manager.isPersisted() && manager.usesDefaultSessionDir(),
			tree: manager.getTree().map(node),
			contextEntries: manager.buildContextEntries(),
			context: context.messages,
			thinkingLevel: context.thinkingLevel,
			model: context.model,
			projection: manager.buildSessionProjection().entries.map(({ sourceEntry, messages }) => ({ id: sourceEntry.id, messages })),
		};
	},
	/** Opens a file and keeps it open, as a running pi does. */
	open: ({ file }) => {
		open.set(file, SessionManager.open(file));
		return {};
	},
	append: ({ file, text }) => ({ id: open.get(file).appendMessage(user(text)) }),
	/** Moves its leaf, of which nothing is written. */
	move: ({ file, to }) => {
		open.get(file).branch(to);
		return {};
	},
	label: ({ file, target, text }) => ({ id: open.get(file).appendLabelChange(target, text) }),
	/** What a pi that opens the file now makes of it. */
	state: ({ file }) => {
		const manager = SessionManager.open(file);
		const branch = manager.getBranch().filter((entry) => entry.type === "message");
		const labels = manager.getEntries().map((entry) => [entry.id, manager.getLabel(entry.id)]);
		return {
			conversation: branch.map((entry) => entry.id),
			name: manager.getSessionName() ?? null,
			labels: Object.fromEntries(labels.filter(([, label]) => label !== undefined)),
			leaf: manager.getLeafId(),
		};
	},
	/** The file that a clone up to the nth entry writes; empty where pi puts writing off. */
	branch: ({ file, nth }) => {
		const manager = SessionManager.open(file);
		const made = manager.createBranchedSession(manager.getEntries()[nth].id);
		return { text: fs.existsSync(made) ? fs.readFileSync(made, "utf8") : "" };
	},
	/** Appends as fast as it can for so many milliseconds. */
	stress: ({ file, ms }) => {
		const manager = SessionManager.open(file);
		const end = Date.now() + ms;
		const ids = [];
		while (Date.now() < end) {
			// Now and then a line that takes the disk more than one page.
			ids.push(manager.appendMessage(user(ids.length % 200 === 0 ? "x".repeat(50_000) : `message ${ids.length}`)));
		}
		return { ids };
	},
};

for await (const line of readline.createInterface({ input: process.stdin })) {
	const question = JSON.parse(line);
	let answer;
	try {
		answer = acts[question.act](question);
	} catch (error) {
		answer = { error: String(error) };
	}
	process.stdout.write(`${JSON.stringify(answer)}\n`);
}
