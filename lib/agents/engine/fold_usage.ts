/**
 * Reads a session's token usage from its events. A fork gives copied messages new ids, but keeps
 * their times, counts and texts. So a response's key is made of these facts, and a fork's copy has
 * the key of its original.
 */
import type { LogEvent } from "../../core/event/envelope.ts";
import { type Content, contentText } from "../../core/event/message.ts";
import { sha256 } from "../../core/event/sha256.ts";
import {
  onePerKey,
  type ResponseUsage,
  responseUsage,
} from "../../core/projection/response_usage.ts";
import { countedTokens } from "../../core/projection/token_usage.ts";
import type { SessionReader } from "../contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";

export async function* foldUsage(
  reader: Pick<SessionReader, "readThreads">,
): AsyncGenerator<readonly ResponseUsage[]> {
  const threads = new Map<string, ThreadUsage>();
  for await (const { thread, events } of reader.readThreads({ needs: PROJECTION.needs })) {
    const usage = threads.get(thread) ?? new ThreadUsage(thread);
    threads.set(thread, usage);
    for (const event of events) usage.take(event);
  }
  const numbers = new Map<string, number>();
  yield onePerKey([...threads.values()].flatMap(({ responses }) => responses)).map((response) => {
    const name = nameOf(response, threads.get(response.thread ?? MAIN_THREAD));
    // Equal responses of one session are numbered, so that each counts.
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    return { ...response, key: `${name} ${number}` };
  });
}

const PROJECTION = responseUsage();
const encoder = new TextEncoder();

function nameOf(response: ResponseUsage, thread: ThreadUsage | undefined): string {
  const { time, model, usage, cost_usd = "" } = response;
  const { input, output, cache_read, cache_write } = usage;
  const counts = [input, output, cache_read, cache_write].join(" ");
  const said = thread?.said.get(response) ?? "";
  return `${time ?? ""}${said}\n${model} ${counts} ${cost_usd}`;
}

class ThreadUsage {
  /**
   * Digests that identify responses without time or tokens by their text. If a response has no
   * time, its digest also covers all earlier responses without time.
   */
  readonly said = new Map<ResponseUsage, string>();
  readonly #thread: string;
  readonly #state = PROJECTION.initial();
  #before = "";

  constructor(thread: string) {
    this.#thread = thread;
  }

  take(event: LogEvent): void {
    const { responses } = this.#state;
    const before = responses.length;
    PROJECTION.apply(this.#state, event);
    const response = responses[before];
    if (response === undefined) return;
    if (this.#thread !== MAIN_THREAD) response.thread = this.#thread;
    const { time, usage } = response;
    if (time !== undefined && countedTokens(usage) > 0 || event.form !== "known") return;
    const { content = "" } = event.payload as { content?: Content };
    const said = sha256(encoder.encode(this.#before + contentText(content)));
    if (time === undefined) this.#before = said;
    this.said.set(response, said);
  }

  get responses(): readonly ResponseUsage[] {
    return this.#state.responses;
  }
}
