/**
 * The last messages of a thread, from the end of its file.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { linesFromEnd } from "../../log/backward_reader.ts";
import { readOpened } from "../../log/byte_source.ts";
import type { Line } from "../../log/line_splitter.ts";
import type { AgentTailOptions } from "../../source/agent.ts";
import { isSeen } from "../../projection/unseen_message.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { asName, asText } from "../../reading/json_value.ts";
import { parseRecords, type SourceRecord } from "../../reading/records/source_record.ts";
import { applyRecord, endRollout } from "./apply_record.ts";
import { isContextual } from "./contextual_message.ts";
import { contentTexts } from "./item_content.ts";
import { type LineFilter, lineFilter, passedOver } from "./line_filter.ts";
import { readLineage } from "./lineage.ts";
import { readCodex } from "./read.ts";
import { type CodexSession, startRollout } from "./rollout.ts";
import { readRolloutHead } from "./rollout_head.ts";
import { rolloutForm } from "./rollout_name.ts";
import { type RolloutRecord, toRolloutRecord } from "./rollout_record.ts";

/** What was found on the way back. */
interface Tail {
  /** Last one first. */
  records: SourceRecord[];
  messages: number;
  /** Calls of which only the outputs came so far. */
  unopened: Set<string>;
  /** Bytes that were passed. */
  bytes: number;
  rolled_back: boolean;
}

/**
 * The events of at least so many last messages, numbered from 1.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function readCodexTail(
  session: CodexSession,
  options: AgentTailOptions,
): Promise<LogEvent[]> {
  const tail = rolloutForm(session.path) === "lines" && options.thread === undefined
    ? await walkBack(session, options)
    : undefined;
  if (tail === undefined || tail.rolled_back) return await readFromStart(session, options);
  const writer = new EventWriter(session, options.needs);
  const rollout = startRollout(session, writer);
  rollout.started = true;
  rollout.provider = asName((await readRolloutHead(session.path))?.payload.model_provider);
  for (const record of tail.records.reverse()) applyRecord(rollout, record);
  endRollout(rollout);
  return writer.take();
}

async function walkBack(
  session: CodexSession,
  { messages, most_bytes = Infinity, needs, report, signal }: AgentTailOptions,
): Promise<Tail> {
  const tail: Tail = {
    records: [],
    messages: 0,
    unopened: new Set(),
    bytes: 0,
    rolled_back: false,
  };
  const filter = lineFilter(needs);
  const isDone = (): boolean =>
    tail.rolled_back || tail.bytes > most_bytes ||
    (tail.messages >= messages && tail.unopened.size === 0);
  for (const { path, to } of (await readLineage(session.path)).reverse()) {
    if (rolloutForm(path) !== "lines") break;
    await readOpened(path, async (file) => {
      for await (const lines of linesFromEnd(file, to === undefined ? {} : { to })) {
        signal?.throwIfAborted();
        for (const line of lines) {
          if (isDone()) return;
          takeLine(tail, line, filter, path === session.path ? { report } : {});
        }
      }
    });
    if (isDone()) return tail;
  }
  return tail;
}

function takeLine(
  tail: Tail,
  line: Line,
  filter: LineFilter,
  sink: { report?: AgentTailOptions["report"] },
): void {
  tail.bytes += line.length;
  if (passedOver(filter, line) !== undefined) return;
  const records: SourceRecord[] = [];
  parseRecords(line, records, sink);
  for (const source of records.reverse()) {
    tail.records.push(source);
    const record = toRolloutRecord(source);
    if (isMessage(record)) tail.messages++;
    takeCall(tail, record);
  }
}

function isMessage({ type, payload, metadata }: RolloutRecord): boolean {
  if (type === "response_item/message/user") return !isContextual(payload.content);
  return type === "response_item/message/assistant" && metadata.compaction_output !== true &&
    contentTexts(payload.content) !== "";
}

function takeCall(tail: Tail, { type, payload }: RolloutRecord): void {
  if (type === "event_msg/thread_rolled_back") tail.rolled_back = true;
  const call_id = asText(payload.call_id);
  if (call_id === undefined || !type.startsWith("response_item/")) return;
  if (/_output$/.test(type)) tail.unopened.add(call_id);
  else tail.unopened.delete(call_id);
}

/** Where the end alone does not tell. */
async function readFromStart(
  session: CodexSession,
  { messages, ...options }: AgentTailOptions,
): Promise<LogEvent[]> {
  let kept: LogEvent[] = [];
  for await (const events of readCodex(session, options)) {
    kept.push(...events);
    kept = kept.slice(tailStart(kept, messages));
  }
  return kept;
}

const SAID: ReadonlySet<string> = new Set(["user_message", "assistant_message"]);

/** Where the last messages begin; a message more is kept, for the calls behind it. */
function tailStart(events: readonly LogEvent[], messages: number): number {
  let left = messages;
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index];
    if (event === undefined || !SAID.has(event.kind)) continue;
    if (
      event.form === "known" && event.kind === "assistant_message" && !isSeen(event.payload.content)
    ) continue;
    if (left-- === 0) return index;
  }
  return 0;
}
