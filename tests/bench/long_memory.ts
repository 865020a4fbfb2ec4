/** Reads LongMemEval-S, a list of questions, each with its own haystack of sessions. */
import { join } from "node:path";
import { LOG_FILE, sessionsDirectory } from "../../lib/core/store/session_folder.ts";
import { folderName } from "../../lib/core/store/session_id.ts";
import { namespaceOf } from "../../lib/core/workspace/namespace.ts";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { logOf } from "../_support/log_bytes.ts";

/** One item of the file, as far as it is used. */
interface LongMemoryItem {
  question_id: string;
  question: string;
  haystack_session_ids: readonly string[];
  haystack_sessions: readonly (readonly { role: "user" | "assistant"; content: string }[])[];
  answer_session_ids: readonly string[];
}

/** A question, and a store with the sessions to search. */
export interface LongMemoryQuestion {
  query: string;
  /** The sessions that have the answer. */
  refs: ReadonlySet<string>;
  root: string;
}

/** Reads the questions one by one. The store of a question is removed when the next one is asked for. */
export function* readLongMemory(path: string, folder: string): Generator<LongMemoryQuestion> {
  const items = JSON.parse(Deno.readTextFileSync(path)) as readonly LongMemoryItem[];
  for (const { question, question_id, ...item } of items) {
    // Questions about what was never said have no session to find.
    if (question_id.endsWith("_abs")) continue;
    const answers = new Set(item.answer_session_ids);
    const refs = new Set<string>();
    for (const [index, messages] of item.haystack_sessions.entries()) {
      const id = `3f6a2b91-0d4c-4f7e-8a15-${index.toString(16).padStart(12, "0")}`;
      writeSession(folder, id, messages);
      if (answers.has(item.haystack_session_ids[index] ?? "")) refs.add(id);
    }
    yield { query: question, refs, root: folder };
    Deno.removeSync(folder, { recursive: true });
  }
}

function writeSession(
  root: string,
  session_id: string,
  messages: LongMemoryItem["haystack_sessions"][number],
): void {
  const [created, cwd] = [new Date(Date.UTC(2026, 0, 1)), "/home/ada"];
  const created_at = created.toISOString();
  const events = messages.map(({ role, content }, index): NewEvent => {
    const turn_id = `t${index >> 1}`;
    return role === "user"
      ? { kind: "user_message", turn_id, payload: { content } }
      : { kind: "assistant_message", turn_id, payload: { content, message_id: `m${index}` } };
  });
  const head: NewEvent = { kind: "session_started", payload: { session_id, created_at, cwd } };
  const place = join(sessionsDirectory(root), namespaceOf(cwd), folderName(created, session_id));
  Deno.mkdirSync(place, { recursive: true, mode: 0o700 });
  Deno.writeFileSync(join(place, LOG_FILE), logOf([head, ...events]), { mode: 0o600 });
}
