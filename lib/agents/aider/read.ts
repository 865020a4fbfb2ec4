/**
 * A session of Aider as our events.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { type EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { readEdges } from "../../reading/records/file_edges.ts";
import { readLines } from "../../reading/records/jsonl_records.ts";
import { present } from "../../reading/records/json_value.ts";
import { countSide } from "../../source/source_account.ts";
import { printedModel, printedUsage } from "./announcement.ts";
import { type HistoryBlock, HistoryBlocks } from "./history_blocks.ts";
import { headOf, type HistoryHead } from "./history_head.ts";
import { type HistoryRange, rangeOf } from "./history_file.ts";
import { textOf } from "./text_line.ts";

/** Makes the events of one session from its blocks. */
class AiderEvents {
  readonly writer: EventWriter;
  #model: string | undefined;

  constructor(session: AgentSession, options: AgentReadOptions) {
    this.writer = new EventWriter(session, options.needs);
  }

  start({ id, cwd }: AgentSession, range: HistoryRange, { version, title }: HistoryHead): void {
    const created_at = range.started_at ?? range.modified_at ?? "";
    this.writer.emit("session_started", {
      session_id: id,
      created_at,
      cwd: cwd ?? "",
      app: present({ name: "aider", version }),
      ...present({ title }),
    }, { time: created_at });
  }

  take({ type, text, position, interrupted }: HistoryBlock, time?: string): void {
    const origin: EventOrigin = { time, record: { position } };
    const content = text;
    if (type === "user") this.writer.emit("user_message", { content }, origin);
    else if (type === "tool") this.#takeOutput(text, origin);
    else if (interrupted) {
      this.writer.emit("assistant_interrupted", { content, reason: "user" }, origin);
    } else {
      this.writer.emit("assistant_message", present({ content, model: this.#model }), origin);
    }
  }

  /** What Aider printed; where it says what the answer took, an event without a text does too. */
  #takeOutput(text: string, origin: EventOrigin): void {
    this.#model = printedModel(text) ?? this.#model;
    this.writer.emit("extension", { agent: "aider", type: "output", data: { text } }, origin);
    const printed = printedUsage(text);
    if (printed === undefined) return;
    const answer = { content: "", model: this.#model, ...printed };
    this.writer.emit("assistant_message", present(answer), origin);
  }
}

/** Reads a session. See the contract of an agent. */
export async function* readAider(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<LogEvent[]> {
  const { account } = options;
  const range = await rangeOf(session);
  if (range === undefined) {
    const { size } = readEdges(session.path, { head_bytes: 0, tail_bytes: 0 });
    countSide(account, "other sessions", size);
    return;
  }
  if (range.from > 0) countSide(account, "other sessions", range.from);
  if (range.to < range.size) countSide(account, "other sessions", range.size - range.to);
  yield* readPart(session, range, options);
}

/** The events of a part of a session. Its last one is of the time when the file was written last. */
export async function* readPart(
  session: AgentSession,
  range: HistoryRange,
  options: AgentReadOptions = {},
): AsyncGenerator<LogEvent[]> {
  const events = new AiderEvents(session, options);
  const blocks = new HistoryBlocks();
  events.start(session, range, await headOf(session.path, range));
  let held: HistoryBlock | undefined;
  const take = (ended: readonly HistoryBlock[]): void => {
    for (const block of ended) {
      if (held !== undefined) events.take(held);
      held = block;
    }
  };
  const { from, to } = range;
  for await (const lines of readLines(session.path, { from, to, ...signalOf(options) })) {
    for (const line of lines) {
      const text = textOf({ ...line, line: line.line + range.line - 1 }, options);
      const isHeading = line.offset === from && range.started_at !== undefined;
      if (text !== undefined && !isHeading) take(blocks.take(text));
    }
    const batch = events.writer.take();
    if (batch.length > 0) yield batch;
  }
  take(blocks.end());
  const isLast = range.to === range.size;
  if (held !== undefined) events.take(held, isLast ? range.modified_at : undefined);
  const rest = events.writer.take();
  if (rest.length > 0) yield rest;
}

function signalOf({ signal }: AgentReadOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
