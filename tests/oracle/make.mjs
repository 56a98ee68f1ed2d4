// Has the real pi write sessions: node make.mjs PACKAGE FOLDER FIRST_SEED COUNT
// Each is what a random run of acts of pi's SessionManager leaves behind; the acts depend on the seed alone.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pkg, folder, first, count] = process.argv.slice(2);
process.env.PI_CODING_AGENT_DIR = fs.mkdtempSync(path.join(os.tmpdir(), "pi-make-"));
process.env.PI_OFFLINE = "1";
process.on("exit", () => fs.rmSync(process.env.PI_CODING_AGENT_DIR, { recursive: true, force: true }));
const dist = path.join(path.resolve(pkg), "dist", "core", "session-manager.js");
const { SessionManager } = await import(pathToFileURL(dist).href);

function dice(seed) {
	let state = (Math.imul(seed, 2654435761) | 1) >>> 0;
	return (sides) => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		state >>>= 0;
		return state % sides;
	};
}

const WORDS = ["plan the parser", "ls -la", "設計を見て", "\u{1f469}\u200d\u{1f680}", "line one\nline two", "", "x".repeat(300)];
const usage = (n) => ({
	input: n,
	output: n + 1,
	cacheRead: n * 2,
	cacheWrite: 0,
	totalTokens: n * 4 + 1,
	cost: { input: 0.001, output: 0.002, cacheRead: 0, cacheWrite: 0, total: 0.003 },
});

function run(seed) {
	const roll = dice(seed);
	const pick = (items) => items[roll(items.length)];
	const text = () => pick(WORDS);
	const manager = SessionManager.create("/home/dev/made", folder);
	const time = 1767600000000;
	let clock = 0;
	const anyId = () => {
		const entries = manager.getEntries();
		return entries.length === 0 ? null : pick(entries).id;
	};
	const assistant = () => ({
		role: "assistant",
		content: roll(3) === 0 ? [{ type: "toolCall", id: `call-${clock}`, name: pick(["read", "bash", "edit"]), arguments: { path: "src/main.rs", command: "ls" } }] : [{ type: "text", text: text() }],
		api: "x",
		provider: "tiny",
		model: pick(["tiny-1", "tiny-2"]),
		usage: usage(roll(900)),
		stopReason: pick(["stop", "toolUse", "aborted", "error", "length"]),
		timestamp: time + clock,
	});
	const acts = [
		() => manager.appendMessage({ role: "user", content: roll(2) ? text() : [{ type: "text", text: text() }], timestamp: time + clock }),
		() => manager.appendMessage(assistant()),
		() => manager.appendMessage(assistant()),
		() => manager.appendMessage({ role: "toolResult", toolCallId: `call-${clock - 1}`, toolName: "read", content: [{ type: "text", text: text() }], isError: roll(4) === 0, timestamp: time + clock }),
		() => manager.appendMessage({ role: "bashExecution", command: "ls", output: text(), exitCode: roll(2), cancelled: false, truncated: false, excludeFromContext: roll(3) === 0, timestamp: time + clock }),
		() => manager.appendThinkingLevelChange(pick(["off", "low", "high"])),
		() => manager.appendModelChange("tiny", pick(["tiny-1", "tiny-2"])),
		() => manager.appendUsage("title", "tiny", "tiny-1", usage(roll(50)), roll(2) ? "note" : undefined),
		() => manager.appendCompaction(text(), anyId() ?? "none", roll(9000), roll(2) ? { readFiles: ["a"] } : undefined, roll(2) === 0),
		() => manager.appendCustomEntry("note", { seed }),
		() => manager.appendSessionInfo(text()),
		() => manager.appendCustomMessageEntry("note", text(), roll(2) === 0, { seed }),
		() => manager.appendLabelChange(anyId(), roll(4) === 0 ? undefined : `label ${clock}`),
		() => manager.appendContextEdit(anyId(), roll(2) ? null : { content: [{ type: "text", text: "edited" }] }),
		() => manager.branch(anyId()),
		() => manager.branch(anyId()),
		() => manager.resetLeaf(),
		() => manager.branchWithSummary(roll(5) === 0 ? null : anyId(), text(), undefined, roll(2) === 0),
	];
	for (let left = 5 + roll(60); left > 0; left--) {
		clock++;
		try {
			pick(acts)();
		} catch {
			// What pi refuses leaves nothing behind.
		}
	}
	if (roll(6) === 0 && anyId()) {
		try {
			manager.createBranchedSession(anyId());
		} catch {
			// As above.
		}
	}
}

for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
	run(seed);
}
