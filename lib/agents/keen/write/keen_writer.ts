/**
 * Writes sessions of Keen Code by its source alone (0.38.1 and later single files): no client was
 * there to try. It has no title of its own, and no index: a list reads the folder.
 */
import { join } from "node:path";
import { pathDigest } from "../../../workspace/namespace.ts";
import type { AgentPlace } from "../../../source/agent_environment.ts";
import type {
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../../source/session_writer.ts";
import { present } from "../../../reading/json_value.ts";
import { hexDigits } from "../../../reading/handed/written_ids.ts";
import { LOG_NAME } from "../session_file.ts";
import { writeTurns } from "./turn_writer.ts";

/** Writes sessions of Keen Code. */
export const keenWriter: SessionWriter = {
  // Keen's edits name lines by hashes: no other agent's have that shape.
  tools: {
    bash: {
      name: "bash",
      input: ({ command, description }) => present({ command, summary: description }),
    },
    read: { name: "read_file", input: (call) => ({ ...call }) },
    write: { name: "write_file", input: (call) => ({ ...call }) },
  },
  proven: false,
  takesImage: () => false,
  newSessionId: () => crypto.randomUUID(),
  newCallId: () => `call_${hexDigits(24)}`,
  place,
  write: writeTurns,
};

/** The digest is of the path as it was given, and not of the one without links. */
function place(place: AgentPlace, { id, cwd }: HandedStart): SessionPlacement {
  const namespace = `${sanitized(cwd)}-${pathDigest(cwd)}`;
  return { path: join(place.folder, "sessions", namespace, id, LOG_NAME) };
}

/** internal/session/path.go `sanitizeWorkingDir`. */
function sanitized(cwd: string): string {
  const dashed = cwd.trim().replace(/[/\\]/g, "-").replace(/[^A-Za-z0-9._-]+/g, "-");
  return dashed.replace(/^[-.]+|[-.]+$/g, "") || "root";
}
