#!/usr/bin/env node
// world.mjs - asks the real, installed pi 1.6.x what it makes of a person's own files: keys, settings, themes, colours.
//
//   PI_PACKAGE_DIR=DIR node world.mjs < questions.json
//
// The questions are one JSON object, the answers another of the same shape; null stands where pi refused:
//   colours:     texts of colours                  -> "rgb 1 2 3"
//   themes:      texts of theme files              -> {token: "rgb 1 2 3" | "index 7" | "default"}
//   ids:         names of actions
//   keybindings: texts of keybindings.json         -> {id: [keys]} for each of the ids
//   settings:    {global, project, trust}, texts   -> {theme, filter, sessionDir}
// In a trust file, CWD stands for the working directory and ABOVE for the folder that holds it.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const questions = JSON.parse(fs.readFileSync(0, "utf-8"));
const box = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "world-")));
const agent = path.join(box, "agent");
const cwd = path.join(box, "work", "project");
fs.mkdirSync(agent);
fs.mkdirSync(path.join(cwd, ".pi"), { recursive: true });
// Set before pi is loaded: it never sees the person's own files.
process.env.HOME = box;
process.env.PI_CODING_AGENT_DIR = agent;

const of = (...parts) => import(pathToFileURL(path.join(process.env.PI_PACKAGE_DIR, ...parts)).href);
const { parseColor, colorToRgb } = await of("..", "pi-tui", "dist", "colors.js");
const { loadThemeFromPath, setThemeJsonValidator } = await of("dist", "modes", "interactive", "theme", "theme.js");
const { validateThemeJson } = await of("dist", "modes", "interactive", "theme", "theme-schema.js");
const { KeybindingsManager } = await of("dist", "core", "keybindings.js");
const { SettingsManager } = await of("dist", "core", "settings-manager.js");
const { ProjectTrustStore } = await of("dist", "core", "trust-manager.js");
setThemeJsonValidator(validateThemeJson);

const orNull = (answer) => {
	try {
		return answer();
	} catch {
		return null;
	}
};
const written = (file, text) => {
	fs.writeFileSync(file, text);
	return file;
};
const colour = (text) => {
	const { r, g, b } = colorToRgb(parseColor(text));
	return `rgb ${r} ${g} ${b}`;
};
const shown = (ansi) => {
	const [, kind, ...rest] = ansi.slice(2, -1).split(";");
	return kind === "2" ? `rgb ${rest.join(" ")}` : kind === "5" ? `index ${rest[0]}` : "default";
};
const theme = (text) => {
	const loaded = loadThemeFromPath(written(path.join(box, "theme.json"), text), "truecolor");
	return Object.fromEntries([...loaded.fgAnsi, ...loaded.bgAnsi].map(([token, ansi]) => [token, shown(ansi)]));
};
const keys = (text) => {
	written(path.join(agent, "keybindings.json"), text);
	const manager = KeybindingsManager.create(agent);
	return Object.fromEntries(questions.ids.map((id) => [id, manager.getKeys(id)]));
};
const settings = ({ global, project, trust }) => {
	written(path.join(agent, "settings.json"), global);
	written(path.join(cwd, ".pi", "settings.json"), project);
	const decisions = trust.replaceAll("CWD", cwd).replaceAll("ABOVE", path.dirname(cwd));
	written(path.join(agent, "trust.json"), decisions);
	const decision = orNull(() => new ProjectTrustStore(agent).get(cwd));
	const manager = (projectTrusted) => SettingsManager.create(cwd, agent, { projectTrusted });
	const always = manager(false).getDefaultProjectTrust() === "always";
	const heeded = manager(decision ?? always);
	return {
		theme: heeded.getThemeSetting() ?? null,
		filter: heeded.getTreeFilterMode(),
		// Read before trust is asked for.
		sessionDir: manager(true).getSessionDir() || null,
	};
};

const answers = {
	colours: questions.colours.map((text) => orNull(() => colour(text))),
	themes: questions.themes.map((text) => orNull(() => theme(text))),
	keybindings: questions.keybindings.map(keys),
	settings: questions.settings.map(settings),
};
fs.rmSync(box, { recursive: true });
process.stdout.write(JSON.stringify(answers));
