/** Reads the tokens, calls by kind, file changes and failures of a session's turns. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { USAGE_KINDS } from "../../../core/event/policy.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { loadPrices } from "../../../library/counts/usage/load_prices.ts";
import { contentText } from "../../../core/event/message.ts";
import { type TurnTotal, TurnUsage } from "../../../core/projection/turn_usage.ts";
import { isUnseen } from "../../../core/projection/unseen_message.ts";
import { type CallKind, callKind } from "../../../text/render/block/known_tools.ts";

export interface TurnMark {
  seq: number;
  title: string;
  /** Milliseconds from the prompt to the last event; 0 if unknown. */
  took_ms: number;
  calls: Partial<Record<CallKind, number>>;
  failed: number;
  compactions: number;
}

/** The tokens, turns and file changes of a session that is short enough to be read for its page. */
export interface Vitals {
  totals: readonly TurnTotal[];
  turns: readonly TurnMark[];
  files: ReadonlyMap<string, readonly [added: number, removed: number]>;
}

export const NO_VITALS: Vitals = { totals: [], turns: [], files: new Map() };

const KINDS = [
  ...["user_message", "tool_end", "bash_end", "diff"] as const,
  ...["compaction_applied", "turn_failed"] as const,
];
const TITLE = 300;

export async function readVitals(
  handle: SessionHandle,
  thread: { thread?: string },
): Promise<Vitals> {
  const { estimate } = await loadPrices();
  const usage = new TurnUsage(estimate);
  const totals: TurnTotal[] = [];
  const marks = new TurnMarks();
  const needs = new Set([...USAGE_KINDS, ...KINDS]);
  for await (const events of handle.events({ ...thread, needs })) {
    for (const event of events) {
      const ended = usage.take(event);
      if (ended !== undefined) totals.push(ended);
      marks.take(event);
    }
  }
  const last = usage.end();
  return { totals: last === undefined ? totals : [...totals, last], ...marks };
}

class TurnMarks {
  readonly turns: TurnMark[] = [];
  readonly files = new Map<string, [number, number]>();
  #began = NaN;

  take(event: LogEvent): void {
    if (event.form !== "known") return;
    if (event.kind === "user_message" && !isUnseen(event.payload)) {
      this.#began = Date.parse(event.time ?? "");
      const title = contentText(event.payload.content).slice(0, TITLE);
      this.turns.push({ seq: event.seq, title, took_ms: 0, calls: {}, failed: 0, compactions: 0 });
    }
    const turn = this.turns.at(-1);
    if (turn === undefined) return;
    turn.took_ms = Math.max(turn.took_ms, Date.parse(event.time ?? "") - this.#began || 0);
    if (event.kind === "tool_end") count(turn, callKind(event.payload.name), event.payload.status);
    if (event.kind === "bash_end") count(turn, "run", event.payload.status);
    if (event.kind === "compaction_applied") turn.compactions++;
    if (event.kind === "turn_failed") turn.failed++;
    if (event.kind !== "diff") return;
    const { path = "", lines } = event.payload;
    const [added, removed] = this.files.get(path) ?? [0, 0];
    const sumOf = (kind: string): number => lines.filter((line) => line.kind === kind).length;
    this.files.set(path, [added + sumOf("added"), removed + sumOf("removed")]);
  }
}

function count(turn: TurnMark, kind: CallKind, status: string): void {
  turn.calls[kind] = (turn.calls[kind] ?? 0) + 1;
  if (status === "error") turn.failed++;
}
