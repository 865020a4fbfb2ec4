/**
 * Writes sessions for Keen Code as its source describes (0.38.1, some later files), untested with a
 * client. Keen stores no title and no index: its list reads the folder.
 */
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { handedLine, handedOriginals, handedText } from "../../engine/handed/line.ts";
import { USUAL_WRITER } from "../../engine/handed/usual_writer.ts";
import { present } from "../../engine/json.ts";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import type {
  HandedAnswer,
  HandedCall,
  HandedSession,
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../contract/session_writer.ts";
import { pathDigest } from "../../../core/workspace/namespace.ts";
import type { KeenItem, KeenTurn, ToolActivity } from "../keen_event.ts";
import { LOG_NAME } from "../locate.ts";

async function* writeTurns(session: HandedSession): AsyncGenerator<string> {
  const { id, cwd, begun, from, messages } = session;
  let seq = 0;
  const line = (kind: string, payload: object, originals: object = {}): string =>
    handedLine({ seq: ++seq, kind, [kind]: payload, ...originals });
  const created_at = new Date(begun).toISOString();
  yield line("session_started", { session_id: id, created_at, cwd });
  for await (const message of messages) {
    yield message.role === "user"
      ? line("user_message", { content: handedText(message.parts) })
      : line("assistant_turn", turnOf(message), handedOriginals(from, message.calls));
  }
}

function turnOf({ text, calls }: HandedAnswer): KeenTurn {
  const said: KeenItem[] = text === "" ? [] : [{ kind: "text", content: text }];
  const transcript = [...said, ...calls.flatMap(shownCall)];
  if (calls.length === 0) return { transcript, message: text };
  const text_offset = Buffer.byteLength(text);
  const tool_activity = calls.map((call) => activityOf(call, text_offset));
  return { transcript, message: text, turn_memory: { tool_activity } };
}

function shownCall({ name, input, output, failed }: HandedCall): KeenItem[] {
  const text = handedText(output);
  const ended = failed ? { error: text || FAILED } : { output: text };
  const { command, summary } = input;
  if (name === "bash" && typeof command === "string") {
    const why = typeof summary === "string" ? { summary } : {};
    return [{ kind: "bash", bash: { command, ...why, ...ended } }];
  }
  return [
    { kind: "tool_start", tool_start: { name, input } },
    { kind: "tool_end", tool_end: { name, input, ...ended } },
  ];
}

/** The error text of a failed call that has no output, as only an error text marks a failure. */
const FAILED = "error";

/** Returns a call as Keen keeps it for the model. Keen before 0.41 ignores `retained_output`. */
function activityOf(
  { name, input, output, failed }: HandedCall,
  text_offset: number,
): ToolActivity {
  return present({
    text_offset,
    tool: name,
    input,
    status: failed ? "error" : "success",
    retained_output: handedText(output) || undefined,
  });
}

export const keenWriter: SessionWriter = {
  ...USUAL_WRITER,
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
  place,
  write: writeTurns,
};

/** Returns a new session's path. The folder's hash is of `cwd` as given, with links unresolved. */
function place(place: AgentPlace, { id, cwd }: HandedStart): SessionPlacement {
  const namespace = `${sanitized(cwd)}-${pathDigest(cwd)}`;
  return { path: join(place.folder, "sessions", namespace, id, LOG_NAME) };
}

/** Returns the readable part of a folder name (internal/session/path.go `sanitizeWorkingDir`). */
function sanitized(cwd: string): string {
  const dashed = cwd.trim().replace(/[/\\]/g, "-").replace(/[^A-Za-z0-9._-]+/g, "-");
  return dashed.replace(/^[-.]+|[-.]+$/g, "") || "root";
}
