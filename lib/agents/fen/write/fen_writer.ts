/**
 * Writes sessions of fen by its source alone (0.17.0): no client was there to try. It has no title
 * of its own, and no index: a list reads the folder.
 */
import { join } from "node:path";
import type { AgentPlace } from "../../../source/agent_environment.ts";
import type {
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../../source/session_writer.ts";
import { resolvedFolder } from "../../../reading/files/folder_match.ts";
import { hexDigits, uuidV7 } from "../../../reading/handed/written_ids.ts";
import { fenSlug } from "../session_file.ts";
import { fenTime, writeEntries } from "./entry_writer.ts";

/** Writes sessions of fen. */
export const fenWriter: SessionWriter = {
  tools: {
    bash: { name: "bash", input: ({ command }) => ({ cmd: command }) },
    read: { name: "read", input: (call) => ({ ...call }) },
    write: { name: "write", input: (call) => ({ ...call }) },
    edit: {
      name: "edit",
      // Its edits replace a text that is there once.
      input: ({ path, old_text, new_text, all = false }) =>
        all ? undefined : { path, edits: [{ old_string: old_text, new_string: new_text }] },
    },
  },
  proven: false,
  takesImage: () => false,
  // `/resume <id>` is typed within fen; the session that was placed just now is the latest.
  resume_latest: { argv: ["fen", "--continue"], in_directory: true },
  newSessionId: uuidV7,
  newCallId: () => `call_${hexDigits(24)}`,
  place,
  write: writeEntries,
};

/** fen takes sessions of its directory without links alone. */
function place(place: AgentPlace, { id, cwd, begun }: HandedStart): SessionPlacement {
  const folder = join(place.folder, "sessions", fenSlug(resolvedFolder(cwd)));
  return { path: join(folder, `${fenTime(begun)}_${id}.jsonl`) };
}
