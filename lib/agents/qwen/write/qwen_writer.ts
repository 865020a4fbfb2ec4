/**
 * Writes sessions of Qwen Code. Version 0.24 was seen to resume them. A list reads the folder, so
 * that a client that runs is not disturbed.
 */
import { join } from "node:path";
import type { SessionPlacement, SessionWriter } from "../../../source/session_writer.ts";
import { resolvedFolder } from "../../../reading/files/folder_match.ts";
import { GENAI_TOOLS } from "../../../reading/genai/genai_handed.ts";
import { present } from "../../../reading/json_value.ts";
import { hexDigits } from "../../../reading/handed/written_ids.ts";
import { projectSlug } from "../locate.ts";
import { writeRecords } from "./record_writer.ts";

/** Writes sessions of Qwen Code. */
export const qwenWriter: SessionWriter = {
  tools: {
    ...GENAI_TOOLS,
    read: {
      name: "read_file",
      // It counts lines from 0, and others from 1.
      input: ({ path, offset, limit }) =>
        offset === undefined && limit === undefined ? { file_path: path } : undefined,
    },
    edit: {
      name: "edit",
      input: ({ path, old_text, new_text, all }) =>
        present({
          file_path: path,
          old_string: old_text,
          new_string: new_text,
          replace_all: all,
        }),
    },
  },
  proven: true,
  takesImage: (media_type) => IMAGES.has(media_type),
  newSessionId: () => crypto.randomUUID(),
  newCallId: () => `call_${hexDigits(24)}`,
  place({ folder }, { id, cwd }): SessionPlacement {
    const project = join(folder, "projects", projectSlug(resolvedFolder(cwd)));
    return { path: join(project, "chats", `${id}.jsonl`) };
  },
  write: writeRecords,
};

/** What the models of most providers take: with another one, the request fails for ever. */
const IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
