/**
 * Writes sessions of Claude Code, as one line of records without branches. Version 2.1.330 resumes
 * them and shows them whole. A list reads the folder, so that a client that runs is not disturbed.
 */
import { join } from "node:path";
import { resolvedFolder } from "../../../reading/files/folder_match.ts";
import { hexDigits } from "../../../reading/handed/written_ids.ts";
import { present } from "../../../reading/json_value.ts";
import type { AgentPlace } from "../../../source/agent_environment.ts";
import type {
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../../source/session_writer.ts";
import { projectFolder } from "../locate.ts";
import { isSealed } from "./message_content.ts";
import { writeTranscript } from "./transcript_writer.ts";

/** Writes sessions of Claude Code. */
export const claudeWriter: SessionWriter = {
  tools: {
    bash: {
      name: "Bash",
      input: ({ command, description }) => present({ command, description }),
    },
    read: {
      name: "Read",
      input: ({ path, offset, limit }) => present({ file_path: path, offset, limit }),
    },
    write: { name: "Write", input: ({ path, content }) => ({ file_path: path, content }) },
    edit: {
      name: "Edit",
      input: ({ path, old_text, new_text, all }) =>
        present({ file_path: path, old_string: old_text, new_string: new_text, replace_all: all }),
    },
  },
  proven: true,
  takesImage: (media_type) => IMAGES.has(media_type),
  newSessionId: () => crypto.randomUUID(),
  newCallId: () => `toolu_01${hexDigits(24)}`,
  takesReasoning: (reasoning, { model = "", provider }) =>
    provider === "anthropic" && model.startsWith("claude") && isSealed(reasoning),
  place,
  write: writeTranscript,
};

/** What the Messages API takes: with any other, the request fails for ever. */
const IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The folder is named by the directory without links, which is the one that Claude Code works in. */
function place(place: AgentPlace, { id, cwd }: HandedStart): SessionPlacement {
  const folder = projectFolder(resolvedFolder(cwd));
  return { path: join(place.folder, "projects", folder, `${id}.jsonl`) };
}
