/** Records one session: lines in, answers out, in order. */
import type { SessionClosedPayload } from "../../lib/event/payload.ts";
import { inputLines } from "../../lib/log/input_lines.ts";
import { typedIfSystem } from "../../lib/log/io_error.ts";
import type { Line } from "../../lib/log/line_splitter.ts";
import { isBrokenPipe } from "../../lib/platform/system_error.ts";
import type { Session } from "../../lib/session/session.ts";
import type { Context } from "../_context.ts";
import { STATUS } from "../_failure.ts";
import { type Answer, answerLine } from "./line.ts";

/** Answers that may be waiting for the disk at a time. */
const MOST_PENDING = 256;

/** Appends what lines say to a session, and answers each. */
export class Recorder {
  /** How it stands, as an exit status. */
  status: number = STATUS.done;
  readonly #context: Context;
  readonly #session: Session;
  readonly #toLine: (answer: unknown) => string;
  readonly #abort = new AbortController();
  #pending: Promise<void>[] = [];
  #answered: Promise<void> = Promise.resolve();
  /** Whether the last event closed the session: the program's own words on how it ended stand. */
  #ended = false;
  /** Whether something went wrong that no answer tells. */
  #failed = false;
  /** Whether nobody reads the answers any more. */
  #unheard = false;

  /** @param toLine Writes an answer as a line. */
  constructor(context: Context, session: Session, toLine: (answer: unknown) => string) {
    this.#context = context;
    this.#session = session;
    this.#toLine = toLine;
  }

  /** Reads no more; what was read is answered. */
  stop(status: number): void {
    this.status = status;
    this.#abort.abort();
  }

  /** Resolves when the input has ended and the session is closed. */
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
    // Told to whoever waits for it; here only so that it does not count as unhandled.
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

  /** What is recorded is worth keeping, whether or not its answer is read. */
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
      if (this.#ended) await this.#session.release();
      else await this.#session.finish(this.#outcome());
    }
  }

  #outcome(): SessionClosedPayload {
    const stopped = this.status === STATUS.cancelled || this.status === STATUS.terminated;
    if (stopped) return { status: "failed", exit_code: this.status };
    return { status: this.#failed ? "failed" : "completed" };
  }
}
