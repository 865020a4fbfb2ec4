/**
 * Writes threads of Codex. The form is the simplest that version 0.169 resumes, lists and shows
 * whole; 0.142 takes it too. Each message is there twice: as an item for the model, and as an event
 * for people. A thread without events is in no list.
 */
import { join } from "node:path";
import type { AgentPlace } from "../../../source/agent_environment.ts";
import type {
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../../source/session_writer.ts";
import { handedLine } from "../../../reading/handed/handed_line.ts";
import { hexDigits, uuidV7 } from "../../../reading/handed/written_ids.ts";
import { isSealed, writeRollout } from "./rollout_writer.ts";

/** Writes threads of Codex. */
export const codexWriter: SessionWriter = {
  tools: {
    // Of its own tools the command alone has a shape that others share: files are changed by patches.
    bash: { name: "exec_command", input: ({ command }) => ({ cmd: command }) },
  },
  proven: true,
  takesImage: (media_type) => IMAGES.has(media_type),
  newSessionId: uuidV7,
  newCallId: () => `call_${hexDigits(24)}`,
  takesReasoning: (reasoning, { provider = "" }) =>
    provider.startsWith("openai") && isSealed(reasoning),
  place,
  write: writeRollout,
};

/** What the Responses API takes: with any other, the request fails for ever. */
const IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/**
 * Codex finds a bare file: its databases are derived. The day and the time in the path are local,
 * and those at which the thread was made (codex-rs/rollout/src/recorder.rs).
 */
function place({ folder }: AgentPlace, start: HandedStart): SessionPlacement {
  const { day, time } = localTime(start.now);
  const name = `rollout-${day.join("-")}T${time.join("-")}-${start.id}.jsonl`;
  const path = join(folder, "sessions", ...day, name);
  if (start.title === undefined) return { path };
  const updated_at = new Date(start.now).toISOString();
  const row = { id: start.id, thread_name: start.title, updated_at };
  return { path, appended: { path: join(folder, "session_index.jsonl"), line: handedLine(row) } };
}

function localTime(now: number): { day: string[]; time: string[] } {
  const date = new Date(now);
  const two = (number: number): string => String(number).padStart(2, "0");
  return {
    day: [String(date.getFullYear()), two(date.getMonth() + 1), two(date.getDate())],
    time: [date.getHours(), date.getMinutes(), date.getSeconds()].map(two),
  };
}
