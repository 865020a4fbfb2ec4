/**
 * Finds the files that the user mentioned, opened or selected in an editor. Agents send their names
 * beside a prompt.
 */

/**
 * Stands between what Codex's editors put before a prompt, such as `# Files mentioned by the user:`,
 * and the prompt (codex-rs/protocol, `USER_MESSAGE_BEGIN`).
 */
const REQUEST = "\n## My request for Codex:";
const HEADING = /^\s*# \S/;

/** Tags whose words say who did what, so that they are not needed. */
const SAID = /^<(ide_\w+)>\s*([^]*?)\s*<\/\1>$/;

const MENTION = new RegExp(
  [
    // Claude Code 2.1; Copilot CLI 1.0; Copilot Chat in VS Code (agentPrompt.tsx).
    ..."ide_opened_file ide_selection tagged_files attachments editorContext".split(" "),
    // Cursor 2; Cline 3 (src/core/mentions/index.ts).
    ..."attached_files open_and_recently_viewed_files file_content folder_content".split(" "),
  ].map((tag) => `<${tag}\\b[^>]*>[^]*?</${tag}>`).concat(
    // Zed (crates/agent/src/thread.rs).
    "<context>\\s*The following items were attached by the user[^]*?</context>",
    // Cline 3, in its `<environment_details>`.
    "# (?:Visual Studio Code|VSCode) (?:Visible Files|Open Tabs)\\n(?:[^\\n#<]+\\n?)+",
  ).join("|"),
  "g",
);

/** Returns the texts that name files of the editor, as the model got them. */
export function mentionsIn(text: string): string[] {
  const request = HEADING.test(text) ? text.indexOf(REQUEST) : -1;
  if (request >= 0) return [text.slice(0, request).trim()];
  return [...text.matchAll(MENTION)].map(([found]) => {
    const said = found.trim();
    return SAID.exec(said)?.[2] ?? said;
  });
}
