/**
 * Records one session. Each input line is appended as an event, and answered in the order of input.
 */
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { parseExact } from "../../lib/core/event/exact_json.ts";
import type { PayloadByKind } from "../../lib/core/event/payload.ts";
import { isEventKind } from "../../lib/core/event/policy.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { inputLines } from "../../lib/core/log/input_lines.ts";
import { typedIfSystem } from "../../lib/core/log/io_error.ts";
import { type Line, MAX_LINE_BYTES } from "../../lib/core/log/line_splitter.ts";
import { isBrokenPipe } from "../../lib/core/platform/system_error.ts";
import type { Session } from "../../lib/core/store/session.ts";
import type { Context } from "../_context.ts";
import { STATUS } from "../_failure.ts";

/** Maximum number of answers that wait for the disk. */
const MOST_PENDING = 256;

export class LineRecorder {
  status: number = STATUS.done;
  readonly #context: Context;
  readonly #session: Session;
  readonly #toLine: (answer: unknown) => string;
  readonly #abort = new AbortController();
  #pending: Promise<void>[] = [];
  #answered: Promise<void> = Promise.resolve();
  /** True if the last recorded event closed the session. The recorder then adds no end event. */
  #ended = false;
  /** True after an error that no answer reports. The session then ends as failed. */
  #failed = false;
  /** True once the reader of standard output has closed the pipe. */
  #unheard = false;

  constructor(context: Context, session: Session, toLine: (answer: unknown) => string) {
    this.#context = context;
    this.#session = session;
    this.#toLine = toLine;
  }

  /** Stops reading. Lines that were already read are still answered. */
  stop(status: number): void {
    this.status = status;
    this.#abort.abort();
  }

  async run(): Promise<void> {
    try {
      const { signal } = this.#abort;
      const input = this.#context.stdin().pipeThrough(new TransformStream(), { signal });
      for await (const line of inputLines(input)) await this.#take(line);
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#failed = true;
      throw typedIfSystem(error, "read", "standard input");
    } finally {
      await this.#finish();
    }
  }

  async #take(line: Line): Promise<void> {
    const answer = answerLine(this.#session, line);
    if (answer === undefined) return;
    const before = this.#answered;
    const printed = before.then(async () => this.#print(await answer));
    this.#answered = printed;
    // The waiting caller gets the failure; here it only counts as handled.
    printed.catch(() => {});
    this.#pending.push(printed);
    if (this.#pending.length < MOST_PENDING) return;
    await Promise.all(this.#pending);
    this.#pending = [];
  }

  #print(answer: Answer): void {
    const { ends = false, ...told } = answer;
    if ("error" in answer) this.status ||= STATUS.failed;
    else this.#ended = ends;
    this.#write(this.#toLine(told));
  }

  #write(line: string): void {
    if (this.#unheard) return;
    try {
      this.#context.stdout.write(line);
    } catch (error) {
      if (!isBrokenPipe(error)) throw error;
      this.#unheard = true;
    }
  }

  async #finish(): Promise<void> {
    try {
      await this.#answered;
    } finally {
      await this.#end();
    }
  }

  async #end(): Promise<void> {
    try {
      if (!this.#ended) await this.#session.finish(this.#outcome());
    } finally {
      await this.#session.release();
    }
  }

  #outcome(): PayloadByKind["session_closed"] {
    const stopped = this.status === STATUS.cancelled || this.status === STATUS.terminated;
    if (stopped) return { status: "failed", exit_code: this.status };
    return { status: this.#failed ? "failed" : "completed" };
  }
}

type Answer =
  & (
    | {
      session_id: string;
      seq: number;
      state: "written" | "synced" | "memory";
      input_line: number;
    }
    | { session_id: string; state: "held"; input_line: number }
    | { error: { code: string; message: string }; input_line: number }
  )
  & {
    /** True if the event closes the session. The printed answer leaves this field out. */
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
    throw new InvalidEvent(`the line is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidEvent("the line is not a JSON object");
  }
  for (const field of Object.keys(value)) {
    if (GIVEN_BY_THE_LOG.includes(field)) {
      throw new InvalidEvent(`leave out ${field}: Reprise sets this field`);
    }
    if (!FIELDS.has(field)) throw new InvalidEvent(`unknown field ${field}`);
  }
  const { kind } = value as { kind?: unknown };
  if (kind === undefined) throw new InvalidEvent("the event needs a kind, such as user_message");
  if (typeof kind !== "string" || !isEventKind(kind)) {
    throw new InvalidEvent(`unknown kind ${JSON.stringify(kind)}`);
  }
  if (kind === "session_checkpoint") {
    throw new InvalidEvent(
      "do not append session_checkpoint events; Reprise adds checkpoints itself",
    );
  }
  return value as unknown as NewEvent;
}

/** Returns undefined for a blank line, because a blank line gets no answer. */
function answerLine(session: Session, line: Line): Promise<Answer> | undefined {
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
