/**
 * Replays a file in which a line, such as an undo, can remove earlier lines. The removed lines
 * become threads of their own.
 */
import { present } from "../../../core/event/present.ts";
import type { AgentSession } from "../../contract/agent.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { readRecords } from "../records/jsonl_records.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { FormatThread } from "../session_format.ts";
import { lineSource } from "./line_source.ts";
import { recordsAt, type ReplayRules, type StandingPlace } from "./replayed_source.ts";

interface NamedLine extends StandingPlace {
  readonly name: string;
}

export interface RewindRules<State> {
  /** Returns the state before the first line. See {@linkcode ReplayRules.begin}. */
  begin(partial: boolean): State;
  idOf(record: SourceRecord): string | undefined;
  /**
   * Takes the next line.
   *
   * @param standing Number of earlier lines that were not removed.
   * @returns The number of earlier lines to keep, if the line removes some. The type of the line,
   * if it is outside the dialogue. Otherwise undefined.
   */
  take(state: State, record: SourceRecord, standing: number): number | string | undefined;
  /** True if the latest line continues the message of the line before. @default {false} */
  continues?(state: State): boolean;
}

export interface RewoundLines<State> {
  readonly state: State;
  lines: NamedLine[];
  /** The removed lines, in one list for each rewind. */
  readonly taken: NamedLine[][];
  /** True once a rewind removed the first line of the wanted thread. */
  ended: boolean;
}

export function lineName(own: string | undefined, { position }: SourceRecord): string {
  return own ?? `line-${position.line}`;
}

/**
 * Returns the rules by which a thread's lines are replayed.
 *
 * @param thread The main thread, or the name of the first line of a removed thread.
 */
export function rewoundRules<State>(
  rules: RewindRules<State>,
  thread: string = MAIN_THREAD,
): ReplayRules<RewoundLines<State>> {
  return {
    begin: (partial) => ({ state: rules.begin(partial), lines: [], taken: [], ended: false }),
    take(replay, record): string | undefined {
      if (replay.ended) return undefined;
      const { lines } = replay;
      const left = rules.take(replay.state, record, lines.length);
      if (typeof left === "string") return left;
      if (left !== undefined && left < lines.length) {
        replay.ended = lines.findIndex(({ name }) => name === thread) >= left;
        if (replay.ended) return undefined;
        replay.taken.push(lines.splice(left));
      }
      const name = lineName(rules.idOf(record), record);
      const continues = rules.continues?.(replay.state);
      lines.push({ ...record.position, salvaged: record.salvaged, continues, name });
      return undefined;
    },
    // The first line is an ordinary line.
    head: () => undefined,
    standing: ({ lines }) => lines,
    parts: () => [],
  };
}

/** A subagent of a session with rewinds. The subagent's session is a separate file. */
export interface RewoundSubagent {
  session: AgentSession;
  /** The id of the thread that started the subagent. @default {the main thread} */
  parent?: string;
  title?: string | undefined;
}

export async function rewoundThreads<State>(
  path: string,
  rules: RewindRules<State>,
  subagents: readonly RewoundSubagent[] = [],
): Promise<FormatThread[]> {
  const replayed = rewoundRules(rules);
  const replay = replayed.begin(false);
  for await (const records of readRecords(path)) {
    for (const record of records) replayed.take(replay, record);
  }
  const own = (lines: readonly NamedLine[]) => () => recordsAt(path, replayed, lines);
  const main: FormatThread = {
    id: MAIN_THREAD,
    kind: "main",
    records: replay.lines.length,
    own: own(replay.lines.slice(-1)),
  };
  const replaced = replay.taken.map((lines): FormatThread => ({
    id: lines[0]?.name ?? "",
    kind: "replaced",
    parent: { thread: MAIN_THREAD },
    records: lines.length,
    record_ids: lines.map(({ name }) => name),
    own: own(lines),
  }));
  return [main, ...replaced, ...await Promise.all(subagents.map((one) => subagentOf(one, rules)))];
}

async function subagentOf<State>(
  { session, parent = MAIN_THREAD, title }: RewoundSubagent,
  rules: RewindRules<State>,
): Promise<FormatThread> {
  const [{ records } = { records: 0 }] = await rewoundThreads(session.path, rules);
  const own = () => lineSource(session.path).read();
  const thread = { id: session.id, kind: "subagent" as const, parent: { thread: parent } };
  return present({ ...thread, records, title, session, own });
}
