// ~/old/prototype: a long spike in a folder that no longer exists.
import { Session, hours, days } from "./session.mjs";

const EVENTS = ["OrderPlaced", "ItemAdded", "ItemRemoved", "AddressChanged", "PaymentAuthorised", "PaymentCaptured", "PaymentRefused", "OrderPacked", "OrderShipped", "OrderDelivered", "ReturnAnnounced", "ReturnReceived", "RefundIssued", "OrderCancelled"];
const ASKS = [
	(e) => `add the ${e} event`,
	(e) => `what happens when ${e} arrives twice?`,
	(e) => `project ${e} into the read model`,
	(e) => `replay everything up to ${e} and show me the state`,
];
const ANSWERS = [
	(e) => `\`${e}\` is in: a struct, one arm in \`apply\`, one line in the schema.`,
	(e) => `The second \`${e}\` has the same key, so the append is refused with \`AlreadyThere\`. Nothing is applied twice.`,
	(e) => `The projection handles \`${e}\` now. It is rebuilt in **1.4 s** from an empty table.`,
	(e) => `Replayed to \`${e}\`: version 14, no gaps, and the totals agree with the old tables.`,
];

export function spike(folder) {
	const s = new Session("event-sourcing", { cwd: "old/prototype", start: days(336) + hours(30), model: "codex", thinking: "medium", weight: 1 });
	s.title("spike: event sourcing");
	s.user("spike: could orders be event sourced? Keep every step small, I want to be able to go back.");
	s.step("Let me see what orders look like today.", "ls", { path: "src" }, "main.rs\norders.rs\nschema.sql");
	const base = s.say("Orders are one wide table with 31 columns and a `status`. A stream of about fourteen events would carry the same facts, and *when* and *why* as well.");
	s.label(base, "before events");
	let turn = 0;
	for (const event of EVENTS) {
		for (let kind = 0; kind < ASKS.length; kind++) {
			if ((turn + kind) % 13 === 4) continue;
			const before = s.leaf;
			s.user(ASKS[kind](event));
			if (kind % 2 === 0) s.step(null, "bash", { command: `cargo test ${event.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`).slice(1)}` }, `running ${3 + kind} tests\ntest result: ok. ${3 + kind} passed; 0 failed`, { took: 2100 });
			if (kind === 1) s.step(null, "grep", { pattern: `key.*${event}`, path: "src/events.rs" }, `src/events.rs:${40 + turn}:    fn key(&self) -> Key { Key::of("${event}", self.order, self.version) }`, { took: 35 });
			if (kind === 3) s.step(null, "bash", { command: `cargo run -q -- replay --until ${event}` }, `version ${10 + turn}\nstate   ${event}\ngaps    0`, { took: 900 });
			const answer = s.say(ANSWERS[kind](event));
			// Now and then a wrong turn that is left again.
			if (kind === 3 && turn % 3 === 0) {
				s.go(before);
				s.leave(answer, `A replay to ${event} was tried from here; it worked, and the branch was left to go on with the next event.`, { readFiles: [], modifiedFiles: [] });
			}
			if (event === "PaymentCaptured" && kind === 1) s.label(answer, "payments work");
			turn++;
		}
	}
	s.user("so, should we do it?");
	s.at(days(336));
	s.say("For orders: **not yet**. The spike shows that it works, but every report reads the wide table, and nobody asked *why* an order changed. Keep the fourteen events as a list of what to log, and come back when a report needs history.");
	s.save(folder);
	return s;
}
