/** pi's own tools (packages/coding-agent/src/core/tools/, 0.73.1). */
import type { ToolForms } from "../../../source/session_writer.ts";

/** Its tools whose calls have a shape that other agents share. */
export const TOOL_FORMS: ToolForms = {
  bash: { name: "bash", input: ({ command }) => ({ command }) },
  read: { name: "read", input: (call) => ({ ...call }) },
  write: { name: "write", input: (call) => ({ ...call }) },
  edit: {
    name: "edit",
    // It replaces one place, and no more.
    input: ({ path, old_text: oldText, new_text: newText, all }) =>
      all === true ? undefined : { path, edits: [{ oldText, newText }] },
  },
};
