/** The format of Codex's threads: how the records of a rollout become events. */
import type { EventSink } from "../../reading/events/event_writer.ts";
import { asName } from "../../reading/json_value.ts";
import { LATER, type SessionFormat } from "../../reading/session_format.ts";
import { codexSource } from "./codex_source.ts";
import { endEchoes, settleEchoes } from "./echo.ts";
import { applyRecord } from "./record_events.ts";
import { emitExtension, endUsage, endWaiting, type Rollout, startRollout } from "./rollout.ts";
import { readRolloutHead } from "./rollout_head.ts";
import { isPrompt, isTurnStart, isWholeCompaction, toRolloutRecord } from "./rollout_record.ts";
import { restoreRollout, type SavedRollout, saveRollout } from "./saved_rollout.ts";
import { startSession } from "./session_head.ts";
import { skipsFor } from "./skipped_lines.ts";
import { threadsOf, threadWith } from "./threads.ts";
import { withForkTitle, withName } from "./thread_title.ts";
import { leavesOpen } from "./open_turn.ts";

/** The format of Codex's threads. */
export const codexFormat: SessionFormat<Rollout, SavedRollout, EventSink> = {
  source: codexSource,
  skips: skipsFor,
  threads: threadsOf,
  threadWith,
  async begin({ session, writer, count }, first): Promise<Rollout> {
    const named = first?.inherited ? await withForkTitle(session) : withName(session);
    const rollout = startRollout({ session: named, writer, count });
    // The head of a fork stands behind what it continues, that of a compacted thread is not read.
    const is_head = first?.inherited !== true && first?.position.offset === 0;
    rollout.meta = is_head ? undefined : await readRolloutHead(session.path);
    return rollout;
  },
  emit(source, rollout): string | typeof LATER | void {
    const record = toRolloutRecord(source);
    rollout.inherited = source.inherited === true;
    const disposition = applyRecord(rollout, record);
    settleEchoes(rollout);
    if (disposition === "waiting") return LATER;
    return disposition === "side" ? record.type : undefined;
  },
  end: endRollout,
  standsAlone(source): boolean {
    const record = toRolloutRecord(source);
    return isTurnStart(record) || isPrompt(record);
  },
  needsBefore(source): boolean {
    const record = toRolloutRecord(source);
    return record.type === "compacted" && !isWholeCompaction(record);
  },
  leavesOpen: (records) => leavesOpen(records.map(toRolloutRecord)),
  saveState: saveRollout,
  async restoreState(saved, reading): Promise<Rollout> {
    const rollout = startRollout(reading);
    rollout.started = true;
    if (saved !== undefined) return restoreRollout(rollout, saved);
    rollout.partial = true;
    const head = await readRolloutHead(reading.session.path);
    rollout.provider = asName(head?.payload.model_provider);
    return rollout;
  },
};

/** Takes the end of a rollout: what waits will get no answer any more. */
function endRollout(rollout: Rollout): void {
  startSession(rollout);
  endUsage(rollout);
  endWaiting(rollout);
  endEchoes(rollout);
  for (const { outcome } of rollout.open.values()) {
    if (outcome === undefined) continue;
    emitExtension(rollout, outcome);
    rollout.count(outcome.source);
  }
}
