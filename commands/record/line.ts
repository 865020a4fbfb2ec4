/** Answers one line of `record`'s input. */
import { type Line, MAX_LINE_BYTES } from "../../lib/log/line_splitter.ts";
import type { NewEvent } from "../../lib/event/envelope.ts";
import { parseExact } from "../../lib/event/exact_json.ts";
import { isEventKind } from "../../lib/event/policy.ts";
import { SessionError } from "../../lib/event/session_error.ts";
import type { Session } from "../../lib/session/session.ts";

/** What is answered to a line. */
export type Answer =
  & (
    | { session_id: string; seq: number; state: "written" | "synced"; input_line: number }
    | { session_id: string; state: "held"; input_line: number }
    | { error: { code: string; message: string }; input_line: number }
  )
  & {
    /** Whether the event closes the session; not told. */
    ends?: boolean;
  };

const GIVEN_BY_THE_LOG = ["seq", "v", "crc"];
const FIELDS = new Set(["kind", "payload", "turn_id", "time", "source"]);

const decoder = new TextDecoder();

class InvalidEvent extends Error {}

function parseInput(line: Line): NewEvent {
  if (line.oversized) throw new InvalidEvent(`the line has more than ${MAX_LINE_BYTES} bytes`);
  let value: unknown;
  try {
    value = parseExact(decoder.decode(line.bytes), { unique_names: true });
  } catch (error) {
    throw new InvalidEvent(`the line is no JSON: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidEvent("the line is no object");
  }
  for (const field of Object.keys(value)) {
    if (GIVEN_BY_THE_LOG.includes(field)) throw new InvalidEvent(`${field} is given by the log`);
    if (!FIELDS.has(field)) throw new InvalidEvent(`there is no field ${field}`);
  }
  const { kind } = value as { kind?: unknown };
  if (typeof kind !== "string" || !isEventKind(kind)) {
    throw new InvalidEvent(`there is no kind ${JSON.stringify(kind)}`);
  }
  if (kind === "session_checkpoint") {
    throw new InvalidEvent("the log makes its checkpoints by itself; leave session_checkpoint out");
  }
  return value as unknown as NewEvent;
}

/** Appends what a line says. Undefined for a blank line: there is nothing to answer. */
export function answerLine(session: Session, line: Line): Promise<Answer> | undefined {
  if (!line.oversized && decoder.decode(line.bytes).trim() === "") return undefined;
  return answer(session, line);
}

async function answer(session: Session, line: Line): Promise<Answer> {
  const input_line = line.line;
  try {
    const event = parseInput(line);
    const appended = await session.append(event);
    const session_id = session.id;
    if (appended.state === "held") return { session_id, state: "held", input_line };
    const { seq, state } = appended;
    return { session_id, seq, state, input_line, ends: event.kind === "session_closed" };
  } catch (error) {
    return { error: told(error), input_line };
  }
}

function told(error: unknown): { code: string; message: string } {
  if (error instanceof SessionError) return { code: error.code, message: error.message };
  if (error instanceof InvalidEvent || error instanceof TypeError) {
    return { code: "invalid-event", message: error.message };
  }
  throw error;
}
