/**
 * Finds where a session's current conversation begins: the part that its agent would send. Reads
 * the events once and keeps no texts of events. A compaction may keep earlier events. Only the last
 * compaction counts.
 */
import type { KnownEvent, LogEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import { declaresCalls, isMessageKind } from "../../event/opened_calls.ts";
import type { CompactionAppliedPayload } from "../../event/payload.ts";
import { isUsableCompaction } from "./conversation.ts";
import { addSeq, findRun, type SeqRun } from "../seq_runs.ts";

export interface InForce {
  /** The messages that replace all events before `from_seq`. */
  base: Message[];
  /** Number of the first event that belongs to the current conversation. */
  from_seq: number;
  through_seq: number;
  /** True if a compaction or a `conversation_replaced` replaced earlier messages. */
  compacted: boolean;
}

interface Passed {
  found: InForce;
  runs: SeqRun[];
  /** Numbers of the message events. `declaring` has the numbers of messages that declare calls. */
  messages: number[];
  declaring: Set<number>;
}

export class InForceFinder {
  readonly #passed: Passed = {
    found: { base: [], from_seq: 0, through_seq: 0, compacted: false },
    runs: [],
    messages: [],
    declaring: new Set(),
  };

  get found(): InForce {
    return this.#passed.found;
  }

  /**
   * Yields batches until an event replaces earlier events. Then reads the remaining batches, and
   * yields nothing.
   */
  async *upToReplacement(
    batches: AsyncIterable<readonly LogEvent[]>,
  ): AsyncGenerator<readonly LogEvent[]> {
    for await (const events of batches) {
      for (const event of events) this.take(event);
      if (!this.found.compacted) yield events;
    }
  }

  take(event: LogEvent): void {
    const { found, runs } = this.#passed;
    if (event.form === "known") takeEvent(this.#passed, event);
    addSeq(runs, event.seq, 0);
    found.through_seq = Math.max(found.through_seq, event.seq);
  }
}

function takeEvent(passed: Passed, event: KnownEvent): void {
  if (event.kind === "compaction_applied") takeCompaction(passed, event.seq, event.payload);
  else if (event.kind === "conversation_replaced") {
    replace(passed, event.payload.messages, event.seq + 1);
  } else if (isMessageKind(event.kind)) {
    passed.messages.push(event.seq);
    if (declaresCalls(event)) passed.declaring.add(event.seq);
  }
}

/** Applies a compaction, unless it is empty or its first kept event does not exist. */
function takeCompaction(passed: Passed, seq: number, payload: CompactionAppliedPayload): void {
  if (!isUsableCompaction(payload)) return;
  const { messages, summary = "", first_kept_seq } = payload;
  if (messages !== undefined) return replace(passed, messages, seq + 1);
  const base: Message[] = [{ role: "user", content: summary }];
  if (first_kept_seq === undefined) return replace(passed, base, seq + 1);
  if (first_kept_seq >= seq || findRun(passed.runs, first_kept_seq) === undefined) return;
  replace(passed, base, keptFrom(passed, first_kept_seq));
}

function replace({ found }: Passed, base: Message[], from_seq: number): void {
  Object.assign(found, { base, from_seq, compacted: true });
}

/**
 * Returns the number of the first event to keep after a compaction. If the message before this
 * event declares calls, that message is kept, too.
 */
function keptFrom({ messages, declaring }: Passed, first: number): number {
  const before = messages.findLast((seq) => seq <= first);
  return before !== undefined && declaring.has(before) ? before : first;
}
