/**
 * The history of a thread, read again where the events turned out not to give it: so it is not held
 * while they are read.
 */
import type { Line } from "../../log/line_splitter.ts";
import type { Message } from "../../event/message.ts";
import { parseRecords, type SourceRecord } from "../source_record.ts";
import { tellPreface } from "./followed_history.ts";
import { addToHistory, historyMessages, isHistoryItem, startHistory } from "./history.ts";
import type { ReadPlan } from "./read_plan.ts";
import { isDead } from "./rollback.ts";
import { type CodexSession, type CompactedHistory, emit, type Rollout } from "./rollout.ts";
import { lineType } from "./rollout_line.ts";
import { rolloutLines } from "./rollout_lines.ts";
import { type RolloutRecord, toRolloutRecord } from "./rollout_record.ts";

type Items = Iterable<RolloutRecord> | AsyncIterable<RolloutRecord>;

/** Ends the events of a thread with its history, where they do not give it. */
export async function endHistory(
  rollout: Rollout,
  items: (base: CompactedHistory | undefined) => Items,
): Promise<void> {
  const { followed, session, writer } = rollout;
  if (followed === undefined) return;
  const { standing, base } = followed;
  // Where nothing was said at all there is nothing to go on with.
  if (standing === "hidden" && base !== undefined) tellPreface(rollout, followed);
  if (standing !== "differs") return;
  const wanted = writer.wants("compaction_applied");
  const messages = wanted ? await historyOf(session, base, items(base)) : [];
  emit(rollout, "compaction_applied", { status: "", messages }, {});
}

async function historyOf(
  session: CodexSession,
  base: CompactedHistory | undefined,
  items: Items,
): Promise<Message[]> {
  const history = startHistory(session, base?.messages);
  for await (const record of items) addToHistory(history, record);
  return historyMessages(history);
}

/** The items of a thread that are live, behind its last compaction. */
export async function* liveItems(
  { stretches, dead }: ReadPlan,
  base: CompactedHistory | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<RolloutRecord> {
  const { stretch: first, offset } = base ?? { stretch: 0, offset: -1 };
  for (const [index, stretch] of stretches.entries()) {
    if (index < first) continue;
    const inFirst = base !== undefined && index === first;
    const range = inFirst ? { ...stretch, from: offset } : stretch;
    for await (const lines of rolloutLines(range, { signal })) {
      for (const line of lines) {
        if (isDead(dead, index, line.offset)) continue;
        for (const record of itemsIn(line)) {
          if (!inFirst || record.source.position.offset > offset) yield record;
        }
      }
    }
  }
}

function itemsIn(line: Line): RolloutRecord[] {
  const type = line.oversized ? undefined : lineType(line.bytes);
  if (type !== undefined && !isHistoryItem({ type })) return [];
  const records: SourceRecord[] = [];
  parseRecords(line, records);
  return records.map(toRolloutRecord).filter(isHistoryItem);
}
