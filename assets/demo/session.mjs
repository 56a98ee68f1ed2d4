// What pi 1.6.0 writes, as a small builder: one method per kind of entry, keys in pi's order, ids and times that
// are the same at every run. Diffs of edits come from pi's own code.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { TOOLS, sections } from "./prompt.mjs";

const { generateEditDiff, applyEditsToNormalizedContent } = await import(pathToFileURL(path.join(process.env.PI_PACKAGE_DIR, "dist/core/tools/edit-diff.js")).href);

/** The moment the demo is "now"; the program shifts everything to the reader's own now. */
export const NOW = Date.UTC(2026, 10, 30, 12, 0, 0);
export const minutes = (n) => n * 60_000;
export const hours = (n) => n * 3_600_000;
export const days = (n) => n * 86_400_000;

const MODELS = {
	sonnet: { api: "anthropic-messages", provider: "anthropic", model: "claude-sonnet-4-5", rates: [3, 15, 0.3, 3.75] },
	haiku: { api: "anthropic-messages", provider: "anthropic", model: "claude-haiku-4-5", rates: [1, 5, 0.1, 1.25] },
	codex: { api: "openai-responses", provider: "openai", model: "gpt-5.1-codex", rates: [1.25, 10, 0.125, 0] },
};
const money = (n) => Math.round(n * 1e7) / 1e7;
const sha = (text) => createHash("sha256").update(text).digest("hex");

export class Session {
	/** @param name file name of the demo without `.jsonl`   @param start milliseconds before NOW */
	constructor(name, { cwd, start, model = "sonnet", thinking = "medium", context = [], skills = [], weight = 1, parent }) {
		Object.assign(this, { name, cwd, weight, parent, lines: [], leaf: null, calls: 0, ids: 0, size: 1900, sent: 0, byId: new Map(), labels: new Map(), files: {} });
		this.clock = NOW - start;
		this.started = this.clock;
		const hex = sha(`session ${name}`);
		const time = this.clock.toString(16).padStart(12, "0");
		const id = `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-9${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
		this.header = { type: "session", version: 3, id, timestamp: this.iso(), cwd: `@HOME@/${cwd}`, ...(parent ? { parentSession: `@FILE:${parent}@` } : {}) };
		this.use(model, thinking, parent ? "silent" : "written");
		if (!parent) this.system({ sections: sections(`@HOME@/${cwd}`, context, skills), toolsAdded: TOOLS });
	}

	// ---------------------------------------------------------------- time and place
	iso() { return new Date(this.clock).toISOString(); }
	/** Lets time pass. */
	after(ms) { this.clock += ms; return this; }
	/** Goes to a moment, in milliseconds before NOW. */
	at(ago) { if (NOW - ago < this.clock) throw new Error(`${this.name}: time runs backwards`); this.clock = NOW - ago; return this; }
	/** Continues below another entry, as /tree does. */
	go(id) { this.leaf = id; return this; }

	// ---------------------------------------------------------------- entries
	add(entry) {
		const id = sha(`${this.name} ${this.ids++}`).slice(0, 8);
		const [, ...rest] = Object.entries(entry);
		const place = { id, parentId: this.leaf, timestamp: this.iso() };
		// Extension entries carry their own keys before id, all others after the time.
		const own = ["custom", "custom_message"].includes(entry.type);
		const line = own ? { type: entry.type, ...Object.fromEntries(rest), ...place } : { type: entry.type, ...place, ...Object.fromEntries(rest) };
		this.byId.set(id, line);
		this.lines.push(line);
		this.leaf = id;
		return id;
	}
	message(message) { return this.add({ type: "message", message: { ...message, timestamp: this.clock } }); }
	use(model, thinking, mode = "written") {
		if (mode === "written") {
			if (model && MODELS[model] !== this.model) this.add({ type: "model_change", provider: MODELS[model].provider, modelId: MODELS[model].model });
			if (thinking) this.add({ type: "thinking_level_change", thinkingLevel: thinking });
		}
		this.model = MODELS[model] ?? this.model;
		return this;
	}
	system(message) { return this.message({ role: "system", content: "", ...message }); }
	user(content) {
		this.after(1000 * (20 + (this.ids % 7) * 11));
		this.grow(JSON.stringify(content).length);
		return this.message({ role: "user", content: typeof content === "string" ? [{ type: "text", text: content }] : content });
	}
	/** An answer: strings are text, `think(...)`, `call(...)` are blocks. */
	say(...blocks) {
		const last = blocks.at(-1);
		const how = last && typeof last === "object" && "stopReason" in last ? blocks.pop() : {};
		const content = blocks.map((b) => (typeof b === "string" ? { type: "text", text: b } : b));
		const calls = content.some((b) => b.type === "toolCall");
		const started = this.after(1200 + (this.ids % 5) * 400).clock;
		const output = how.stopReason === "error" ? 0 : Math.ceil(JSON.stringify(content).length / 3.6);
		this.after(output * 14);
		const usage = this.spend(output);
		const { api, provider, model } = this.model;
		return this.add({ type: "message", message: { role: "assistant", content, api, provider, model, usage, stopReason: calls ? "toolUse" : "stop", timestamp: started, ...how } });
	}
	think(thinking) { return { type: "thinking", thinking, thinkingSignature: Buffer.from(sha(thinking), "hex").toString("base64") }; }
	call(name, args) {
		const id = this.model.provider === "openai" ? `call_${sha(`${this.name} call ${this.calls++}`).slice(0, 24)}` : `toolu_01${sha(`${this.name} call ${this.calls++}`).slice(0, 22)}`;
		return { type: "toolCall", id, name, arguments: args };
	}
	result(call, content, { details, isError = false, took = 40 } = {}) {
		this.after(took);
		const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
		this.grow(typeof content === "string" ? content.length : 1600);
		return this.message({ role: "toolResult", toolCallId: call.id, toolName: call.name, content: blocks, ...(details ? { details } : {}), isError, durationMs: took });
	}
	bash(command, output, { exitCode = 0, hidden = false } = {}) {
		this.after(9000);
		return this.message({ role: "bashExecution", command, output, exitCode, cancelled: false, truncated: false, ...(hidden ? { timestamp: this.clock, excludeFromContext: true } : {}) });
	}

	// ---------------------------------------------------------------- whole steps: an answer that calls one tool, and the result
	step(text, name, args, output, options = {}) {
		const call = this.call(name, args);
		this.say(...(options.think ? [this.think(options.think)] : []), ...(text ? [text] : []), call);
		return this.result(call, output, options);
	}
	read(text, file, options = {}) {
		const lines = this.files[file].split("\n");
		const { offset = 1, limit = lines.length } = options.range ?? {};
		return this.step(text, "read", { path: file, ...(options.range ?? {}) }, lines.slice(offset - 1, offset - 1 + limit).join("\n"), options);
	}
	run(text, command, output, options = {}) {
		const failed = options.exit ? `${output}\n\nCommand exited with code ${options.exit}` : output;
		return this.step(text, "bash", { command, ...(options.timeout ? { timeout: options.timeout } : {}) }, failed, { took: 3400, isError: Boolean(options.exit), ...options });
	}
	edit(text, file, edits, options = {}) {
		const pairs = edits.map(([oldText, newText]) => ({ oldText, newText }));
		const { baseContent, newContent, replacements } = applyEditsToNormalizedContent(this.files[file], pairs, file);
		this.files[file] = newContent;
		const details = generateEditDiff(file, baseContent, newContent, replacements);
		return this.step(text, "edit", { path: file, edits: pairs }, `Successfully replaced ${pairs.length} block(s) in ${file}.`, { ...options, details });
	}
	write(text, file, content, options = {}) {
		this.files[file] = content;
		return this.step(text, "write", { path: file, content }, `Successfully wrote to ${file}`, options);
	}
	grep(text, pattern, where, output, options = {}) { return this.step(text, "grep", { pattern, ...(where ? { path: where } : {}) }, output, options); }

	// ---------------------------------------------------------------- marks
	label(targetId, label) {
		this.after(4000);
		if (label) this.labels.set(targetId, label); else this.labels.delete(targetId);
		return this.add({ type: "label", targetId, ...(label ? { label } : {}) });
	}
	title(name) { this.after(3000); return this.add({ type: "session_info", name }); }
	replace(targetId, content) { this.after(2000); return this.add({ type: "context_edit", targetId, replacement: { content } }); }
	omit(targetId) { this.after(2000); return this.add({ type: "context_edit", targetId, replacement: null }); }
	leave(fromId, summary, details) {
		this.after(8000);
		return this.add({ type: "branch_summary", fromId, summary, details, usage: this.spend(Math.ceil(summary.length / 3.6)), fromHook: false });
	}
	compact(firstKeptEntryId, summary, details) {
		this.after(12_000);
		const tokensBefore = this.size;
		const usage = this.spend(Math.ceil(summary.length / 3.6));
		const prompt = this.lines.find((line) => line.message?.role === "system").message;
		this.size = 2600 + Math.ceil(summary.length / 3.6) + Math.round(tokensBefore * 0.3);
		this.sent = 0;
		return this.add({ type: "compaction", summary: `${summary}\n\n<read-files>\n${details.readFiles.join("\n")}\n</read-files>\n\n<modified-files>\n${details.modifiedFiles.join("\n")}\n</modified-files>`, firstKeptEntryId, tokensBefore, details, usage, fromHook: false, systemMessage: { ...prompt, timestamp: this.clock } });
	}

	// ---------------------------------------------------------------- tokens and cost
	grow(chars) { this.size += Math.ceil((chars / 3.6) * this.weight); }
	spend(output) {
		const [inRate, outRate, readRate, writeRate] = this.model.rates;
		const fresh = this.size - this.sent;
		const input = writeRate ? 4 + (this.ids % 9) : fresh;
		const cacheWrite = writeRate ? Math.max(fresh - input, 0) : 0;
		const cacheRead = this.sent;
		this.sent = this.size;
		this.size += output;
		const cost = { input: money((input * inRate) / 1e6), output: money((output * outRate) / 1e6), cacheRead: money((cacheRead * readRate) / 1e6), cacheWrite: money((cacheWrite * writeRate) / 1e6) };
		return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite, cost: { ...cost, total: money(cost.input + cost.output + cost.cacheRead + cost.cacheWrite) } };
	}

	// ---------------------------------------------------------------- forks and files
	/** A new session that holds this one's path up to and including `leaf`, as /fork and /clone write it. */
	fork(name, leaf, options) {
		const child = new Session(name, { cwd: this.cwd, parent: this.name, weight: this.weight, ...options });
		const spine = [];
		for (let at = leaf; at; at = this.byId.get(at).parentId) spine.unshift(this.byId.get(at));
		for (const entry of spine.filter((e) => e.type !== "label")) {
			const copy = { ...entry, parentId: child.leaf };
			child.lines.push(copy);
			child.byId.set(copy.id, copy);
			child.leaf = copy.id;
		}
		const onPath = new Set(spine.map((e) => e.id));
		for (const [targetId, label] of this.labels) {
			if (!onPath.has(targetId)) continue;
			const mark = child.add({ type: "label", targetId, label });
			child.byId.get(mark).timestamp = this.lines.findLast((e) => e.type === "label" && e.targetId === targetId).timestamp;
		}
		child.files = { ...this.files };
		child.size = Math.round(this.size * 0.6);
		return child;
	}
	/** The file's text; `damage` may change the lines, `tail` replaces the last line end. */
	text({ damage = (lines) => lines, tail = "\n" } = {}) {
		return damage([this.header, ...this.lines].map((line) => JSON.stringify(line))).join("\n") + tail;
	}
	save(folder, options) {
		fs.writeFileSync(path.join(folder, `${this.name}.jsonl`), this.text(options));
		return this;
	}
}
