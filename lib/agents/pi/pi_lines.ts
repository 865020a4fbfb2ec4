/**
 * Reads pi's unbranched sessions, as most are, from any offset and without a tree. A session with
 * branches is read along its tree from the root.
 */
import type { Message } from "../../core/event/message.ts";
import { type MessageChoice, MessageWriter } from "../engine/events/message_writer.ts";
import { asText, present } from "../engine/json.ts";
import { openFormat } from "../engine/linear/read_format.ts";
import { readRecords } from "../engine/records/jsonl_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { SessionFormat } from "../engine/session_format.ts";
import { lineSource } from "../engine/sources/line_source.ts";
import { indexRecords } from "../engine/tree/index_file.ts";
import type { TreePath } from "../engine/tree/path_format.ts";
import { allSteps } from "../engine/tree/steps.ts";
import { treeMessages } from "../engine/tree/tree_reader.ts";
import type {
  AgentConversationOptions,
  AgentReadOptions,
  AgentSession,
} from "../contract/agent.ts";
import type { SessionReading } from "../contract/session_reading.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import type { PiCall } from "./assistant_events.ts";
import { emitEntry, type EntryEmission, startEmission } from "./entry_events.ts";
import { isTitleLine, type PiHead } from "./entry_index.ts";
import { emitHeader, toStarted, UNANSWERED } from "./header.ts";
import { piFormat } from "./pi_format.ts";
import { FIRST_ENTRIES } from "./prompt.ts";
import { isStraightLine, UNEDITED } from "./straight_line.ts";

export interface SavedEmission {
  turn_id: string | undefined;
  /** Calls that have no result yet, by id. */
  calls: readonly (readonly [string, PiCall])[];
}

/** Opens an unbranched session from its lines. Returns undefined for branches, edits and forks. */
export async function openReading(
  session: AgentSession,
  options: AgentReadOptions,
): Promise<SessionReading | undefined> {
  const { thread = MAIN_THREAD, signal } = options;
  if (thread !== MAIN_THREAD || !await isStraightLine(session, signal, UNEDITED)) return undefined;
  const first = await firstEntries(session);
  // Of a fork the copies are counted first.
  if (toStarted(session, first.index.head.header).parent !== undefined) return undefined;
  return openFormat(linesFormat(first), session, options);
}

function linesFormat(first: TreePath<PiHead>): SessionFormat<EntryEmission, SavedEmission> {
  return entriesFormat({
    source: ({ path }) => lineSource(path),
    async begin({ session, writer }): Promise<EntryEmission> {
      const emission = startEmission(writer);
      await emitHeader(session, first, emission);
      return emission;
    },
  });
}

/** Returns a format for entries that each follow the previous one. */
export function entriesFormat(
  own: Pick<SessionFormat<EntryEmission, SavedEmission>, "source" | "begin" | "threads">,
): SessionFormat<EntryEmission, SavedEmission> {
  return {
    ...own,
    emit(record, emission): string | undefined {
      if (isTitleLine(record.value)) return "title";
      takeRecord(emission, record);
      return undefined;
    },
    standsAlone: ({ value }) => value.type === "message",
    startState: ({ writer }) => ({ ...startEmission(writer), amid_turn: true }),
    saveState: ({ turn_id, calls }) => ({ turn_id, calls: [...calls] }),
    restoreState: ({ turn_id, calls }, { writer }) => ({
      ...startEmission(writer),
      ...{ turn_id, calls: new Map(calls) },
    }),
  };
}

/** Reads the header and the first entries, which may contain the first prompt. */
async function firstEntries({ path }: AgentSession): Promise<TreePath<PiHead>> {
  const records: SourceRecord[] = [];
  for await (const batch of readRecords(path)) {
    for (const one of batch) records.push(one);
    if (records.length > FIRST_ENTRIES) break;
  }
  const index = indexRecords(piFormat, records.slice(0, FIRST_ENTRIES + 1));
  return { index, steps: allSteps(index), broken: [] };
}

function takeRecord(emission: EntryEmission, record: SourceRecord): void {
  const { id, type = "" } = record.value;
  if (type === "session" || isTitleLine(record.value)) return;
  emitEntry(emission, { id: asText(id) ?? "", type: asText(type) ?? "" }, record);
}

export async function* readMessages(
  session: AgentSession,
  options: AgentConversationOptions = {},
): AsyncGenerator<Message[]> {
  const { tools, reasoning, thread, signal } = options;
  const choice: MessageChoice = present({ tools, reasoning });
  if (thread === undefined && await isStraightLine(session, signal)) {
    yield* straightMessages(session, choice, options);
  } else {
    yield* treeMessages(piFormat, session, options);
  }
}

async function* straightMessages(
  { path }: AgentSession,
  choice: MessageChoice,
  { report, signal }: AgentConversationOptions,
): AsyncGenerator<Message[]> {
  const writer = new MessageWriter(choice);
  writer.unanswered = UNANSWERED;
  const emission = startEmission(writer);
  for await (const records of readRecords(path, { report, signal })) {
    for (const record of records) takeRecord(emission, record);
    const messages = writer.take();
    if (messages.length > 0) yield messages;
  }
  yield writer.takeLast();
}
