/**
 * Adds `/browse` to pi: piscope takes the screen, on the current session. What is picked there with `o` (in the messages
 * also with `enter`) goes back to pi: a session is switched to, a prompt is put into the editor to be sent again.
 *
 * Save it as `piscope.ts` in the folder `extensions` of pi's own folder, usually `~/.pi/agent/extensions`, and say
 * `/reload` in pi. `piscope` must be on the path; the variable `PISCOPE` names another command.
 */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

interface Picked {
	/** Whether the cursor was on a session or on an entry of one. */
	kind: "session" | "entry";
	path: string;
	/** The text of the entry, where that is a prompt. */
	prompt: string | null;
}

/** piscope's exit status where nothing was picked. */
const NOTHING_PICKED = 3;

export default function (pi: ExtensionAPI) {
	pi.registerCommand("browse", {
		description: "Browse all sessions in piscope; pick one to go on with it, or a prompt to send it again",
		handler: async (_args, ctx) => {
			if (ctx.mode !== "tui") return ctx.ui.notify("/browse needs the screen", "error");
			await ctx.waitForIdle();
			const current = ctx.sessionManager.getSessionFile();
			// pi writes a session down only once the model has answered.
			const target = current && existsSync(current) ? [current] : [];
			const ended = await ctx.ui.custom<ReturnType<typeof run>>((tui, _theme, _keys, done) => {
				tui.stop();
				const ended = run(["--pick=json", ...target], ctx.cwd);
				tui.start();
				tui.requestRender(true);
				done(ended);
				return { render: () => [], invalidate: () => {} };
			});
			if (ended.error) return ctx.ui.notify(`Cannot start piscope: ${ended.error.message}`, "error");
			if (ended.status === NOTHING_PICKED) return;
			if (ended.status !== 0) return ctx.ui.notify("piscope failed", "error");
			const picked: Picked = JSON.parse(ended.stdout);
			if (picked.kind === "entry" && picked.prompt !== null) return ctx.ui.setEditorText(picked.prompt);
			if (picked.path !== current) await ctx.switchSession(picked.path);
		},
	});
}

/** Runs piscope on pi's terminal: it draws on standard error and prints what was picked on standard output. */
function run(args: string[], cwd: string) {
	return spawnSync(process.env.PISCOPE ?? "piscope", args, {
		cwd,
		encoding: "utf-8",
		stdio: ["inherit", "pipe", "inherit"],
	});
}
