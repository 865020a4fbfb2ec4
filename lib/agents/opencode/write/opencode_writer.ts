/**
 * Writes sessions of OpenCode as documents that its own `import` takes: its database is never
 * written to. Version 1.18 was seen to resume them.
 */
import { join } from "node:path";
import type { SessionPlacement, SessionWriter } from "../../../source/session_writer.ts";
import { present } from "../../../reading/json_value.ts";
import { hexDigits } from "../../../reading/handed/written_ids.ts";
import { handedOriginals } from "./handed_originals.ts";
import { writeImportFile } from "./import_file.ts";
import { sessionId } from "./rising_ids.ts";

/** Writes sessions of OpenCode. */
export const opencodeWriter: SessionWriter = {
  tools: {
    bash: {
      name: "bash",
      input: ({ command, description }) => present({ command, description }),
    },
    read: {
      name: "read",
      input: ({ path, offset, limit }) => present({ filePath: path, offset, limit }),
    },
    write: { name: "write", input: ({ path, content }) => ({ filePath: path, content }) },
    edit: {
      name: "edit",
      input: ({ path, old_text, new_text, all }) =>
        present({ filePath: path, oldString: old_text, newString: new_text, replaceAll: all }),
    },
  },
  proven: true,
  takesImage: (media_type) => IMAGES.has(media_type),
  newSessionId: sessionId,
  newCallId: () => `call_${hexDigits(24)}`,
  place(place, { id }, folder): SessionPlacement {
    // Not `opencode.json`: a file of that name is taken for settings.
    const path = join(folder, `handed-over-${id}.json`);
    return {
      path,
      prepare: [["opencode", "import", path]],
      kept_in: join(place.folder, "opencode.db"),
      remove: ["opencode", "session", "delete", id],
    };
  },
  write: writeImportFile,
  handedOriginals,
};

/** What the models of most providers take: with another one, the request fails for ever. */
const IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
