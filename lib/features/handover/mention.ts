/**
 * Finds the files that the user mentioned, opened or selected in an editor. Agents send the names
 * of these files beside a prompt.
 */

/**
 * The heading in Codex between the context of an editor and the prompt. See `USER_MESSAGE_BEGIN` in
 * codex-rs/protocol. An example of such context is `# Files mentioned by the user:`.
 */
const REQUEST = "\n## My request for Codex:";
const HEADING = /^\s*# \S/;

/** Matches a tag whose text already says what the user did, so that the tag can be dropped. */
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

export function mentionsIn(text: string): string[] {
  const request = HEADING.test(text) ? text.indexOf(REQUEST) : -1;
  if (request >= 0) return [text.slice(0, request).trim()];
  return [...text.matchAll(MENTION)].map(([found]) => {
    const said = found.trim();
    return SAID.exec(said)?.[2] ?? said;
  });
}
