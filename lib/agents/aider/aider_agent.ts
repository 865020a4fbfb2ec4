/**
 * Reads the histories of Aider (Aider-AI/aider; format read at 5dc9490, version 0.86).
 *
 * Aider has no sessions. It appends to one Markdown file for each repository, and can read back all
 * of it (`--restore-chat-history`). Here each heading `# aider chat started at` begins a session,
 * whose id is made of that time and the file's path. The conversation is what Aider's own parser
 * makes of that part, before Aider summarizes it to fit.
 *
 * Where Aider loses what the model said, this reader keeps it:
 * - lines that begin with `# ` (headings, comments of code): Aider skips them;
 * - block quotes in an answer: Aider takes them for its own output, which also cuts the answer in two;
 * - text before the first heading is a session of its own.
 *
 * Some things cannot be known, by Aider neither. A heading `#### ` of the model reads as a prompt.
 * Further lines of a text that Aider printed (a cost below its tokens) read as an answer. The start
 * time is local to the machine that wrote it, and taken for local here. What Aider printed is kept
 * as extensions, and its rounded token counts as usage.
 */
import type { Agent } from "../../source/agent.ts";
import { formatReader } from "../../reading/format_reader.ts";
import { aiderFormat } from "./aider_format.ts";
import { isHistory, sessionsOf } from "./history_file.ts";

/** The reader of Aider's histories. */
export const aiderAgent: Agent = {
  name: "aider",
  recognize: isHistory,
  sessionsIn: sessionsOf,
  open: formatReader(aiderFormat),
};
