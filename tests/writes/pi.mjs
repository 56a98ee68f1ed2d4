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

const acts = {
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
