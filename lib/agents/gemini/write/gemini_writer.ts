/**
 * Writes chats of Gemini CLI. Version 0.61 was seen to resume them. A list reads the folder, so that
 * a client that runs is not disturbed.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { AgentPlace } from "../../../source/agent_environment.ts";
import type {
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../../source/session_writer.ts";
import { resolvedFolder } from "../../../reading/files/folder_match.ts";
import { GENAI_TOOLS } from "../../../reading/genai/genai_handed.ts";
import { present } from "../../../reading/json_value.ts";
import { hexDigits } from "../../../reading/handed/written_ids.ts";
import { writeChat } from "./chat_writer.ts";
import { normalized, projectSlug } from "./project_slug.ts";

/** Writes chats of Gemini CLI. */
export const geminiWriter: SessionWriter = {
  tools: {
    ...GENAI_TOOLS,
    read: {
      name: "read_file",
      // It counts lines from a first to a last one, and others from an offset.
      input: ({ path, offset, limit }) =>
        offset === undefined && limit === undefined ? { file_path: path } : undefined,
    },
    edit: {
      name: "replace",
      input: ({ path, old_text, new_text, all }) =>
        present({
          file_path: path,
          old_string: old_text,
          new_string: new_text,
          allow_multiple: all,
        }),
    },
  },
  proven: true,
  takesImage: (media_type) => IMAGES.has(media_type),
  newSessionId: () => crypto.randomUUID(),
  newCallId: () => `call_${hexDigits(24)}`,
  place,
  write: writeChat,
};

/** What Gemini's models take: with another one, the request fails for ever. */
const IMAGES: ReadonlySet<string> = new Set(
  ["png", "jpeg", "webp", "heic", "heif"].map((type) => `image/${type}`),
);

function place({ folder: home, os }: AgentPlace, { id, cwd, now }: HandedStart): SessionPlacement {
  const directory = resolvedFolder(cwd);
  const { slug, unmarked } = projectSlug(home, directory, os);
  const folder = join(home, "tmp", slug);
  const minute = new Date(now).toISOString().slice(0, 16).replace(":", "-");
  const path = join(folder, "chats", `session-${minute}-${nameDigits(id)}.jsonl`);
  if (!unmarked) return { path };
  const mark = { path: join(folder, ".project_root"), text: normalized(directory, os) };
  return { path, beside: [mark] };
}

/**
 * Eight digits for a chat's name that are not the first of its id. A resume of 0.61 leaves a stub
 * that is named by those, and the next start deletes the stub with every chat of the same digits:
 * google-gemini/gemini-cli issues 27368 and 28036.
 */
function nameDigits(id: string): string {
  const digits = createHash("sha256").update(id).digest("hex");
  return digits.startsWith(id.slice(0, 8)) ? digits.slice(8, 16) : digits.slice(0, 8);
}
