// The system prompt of the demo sessions: sections and tools in the shape pi gives them, in our own words.
const text = (description) => ({ description, type: "string" });
const number = (description) => ({ description, type: "number" });
const tool = (name, description, properties, required) => ({ name, description, parameters: { type: "object", properties, required } });

export const TOOLS = [
	tool("read", "Read a file. Long files are cut; continue with offset and limit.", { path: text("File to read"), offset: number("First line, from 1"), limit: number("Number of lines") }, ["path"]),
	tool("bash", "Run a shell command in the working directory and return what it printed.", { command: text("Command"), timeout: number("Seconds before it is stopped") }, ["command"]),
	tool("edit", "Replace exact text in one file.", { path: text("File to edit"), edits: { description: "Replacements", type: "array", items: { type: "object", properties: { oldText: text("Text that occurs once"), newText: text("Its replacement") }, required: ["oldText", "newText"] } } }, ["path", "edits"]),
	tool("write", "Create or overwrite a file.", { path: text("File to write"), content: text("Content") }, ["path", "content"]),
	tool("grep", "Search file contents.", { pattern: text("Regular expression"), path: text("Where to search") }, ["pattern"]),
	tool("find", "Find files by name.", { pattern: text("Glob"), path: text("Where to search") }, ["pattern"]),
	tool("ls", "List a folder.", { path: text("Folder") }, []),
];

export function sections(cwd, context, skills) {
	const wrap = (name, body) => [name, `<${name}>\n${body}\n</${name}>`];
	const parts = [["preamble", "You are a coding assistant inside pi. Help the user read, run and change code."], wrap("tools", TOOLS.map((t) => `- ${t.name}: ${t.description}`).join("\n")), wrap("rules", "- Be concise\n- Show file paths clearly\n- Run the tests after a change")];
	if (context.length > 0) parts.push(wrap("project_context", `Project-specific instructions and guidelines:\n\n<project_instructions path="${cwd}/AGENTS.md">\n${context.join("\n")}\n</project_instructions>`));
	if (skills.length > 0) parts.push(wrap("skills", skills.map((s) => `- ${s}`).join("\n")));
	parts.push(wrap("cwd", cwd));
	return Object.fromEntries(parts);
}
