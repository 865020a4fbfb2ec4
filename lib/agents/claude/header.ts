/** Writes the start of a Claude Code session: its time, place, title and parent. */
import type { SessionStartedPayload } from "../../event/payload.ts";
import type { EventSink } from "../../reading/events/event_writer.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { asName, asObject } from "../../reading/json_value.ts";
import { recordId } from "../../reading/tree/record_index.ts";
import { isOnWay, rowOfStep, type Steps } from "../../reading/tree/steps.ts";
import type { TreeRecord } from "../../reading/tree/tree_format.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { DialogueRecord } from "./emission.ts";
import { type ClaudeIndex, isSpoken } from "./index/claude_record.ts";
import { promptTitle, titleOfText } from "./prompt_title.ts";
import type { SideFacts } from "./side_facts.ts";

/** What version 2.1.330 sends for a call without a result (its executable, on resume). */
export const UNANSWERED =
  "[Tool call interrupted: the session ended before this call's result was " +
  "recorded, so its outcome is unknown. Check whether it took effect before relying on it or " +
  "running it again.]";

/** What the first records say of the session. */
export function toStarted(
  session: AgentSession,
  side: SideFacts,
  first: Iterable<Pick<DialogueRecord, "record">>,
): SessionStartedPayload {
  const find = (field: string): string | undefined => {
    for (const { record } of first) {
      const text = asName(record.value[field]);
      if (text !== undefined) return text;
    }
    return undefined;
  };
  const version = find("version");
  const branch = find("gitBranch");
  const [start] = first;
  const forked = asName(asObject(start?.record.value.forkedFrom).sessionId);
  return {
    session_id: session.id,
    created_at: isoTime(find("timestamp")) ?? "",
    cwd: side.cwd ?? find("cwd") ?? session.cwd ?? "",
    unanswered_call: UNANSWERED,
    app: { name: "Claude Code", ...(version === undefined ? {} : { version }) },
    ...(branch === undefined ? {} : { git: { branch } }),
    ...(forked === undefined ? {} : { parent: { session_id: forked, reason: "fork" } }),
  };
}

/** Adds the first event, and the title that was given. `fallback` names a session without one. */
export function emitStarted(
  writer: EventSink,
  side: SideFacts,
  started: SessionStartedPayload,
  fallback: () => string | undefined,
  { position }: Partial<TreeRecord> = {},
): void {
  const given = givenTitle(side);
  const title = given === undefined ? fallback() : undefined;
  if (title !== undefined) started.title = title;
  const record = position === undefined ? undefined : { position };
  writer.emit("session_started", started, { time: started.created_at, record });
  if (given !== undefined) writer.emit("session_renamed", { title: given });
}

/** Returns the title that the user gave, or else Claude Code. */
function givenTitle(side: SideFacts): string | undefined {
  return side.custom_title || side.ai_title || undefined;
}

/**
 * Returns a name for a session without a title. It is the summary of its last record, its last
 * prompt, or its first one.
 */
export function fallbackTitle(
  index: ClaudeIndex,
  steps: Steps,
  first: Iterable<Pick<DialogueRecord, "record">>,
): string | undefined {
  const leaf = lastSpoken(index, steps);
  const summary = leaf < 0 ? undefined : index.head.side.summaries?.get(recordId(index, leaf));
  if (summary !== undefined) return summary;
  const last = titleBeside(index.head.side);
  if (last !== undefined) return last;
  for (const { record } of first) {
    const title = promptTitle(record);
    if (title !== undefined) return title;
  }
  return undefined;
}

/** True where the file says beside its records what the session is called. */
export function isTitled(side: SideFacts): boolean {
  return givenTitle(side) !== undefined || titleBeside(side) !== undefined ||
    side.summaries !== undefined;
}

/** What the last prompt asked, as Claude Code keeps it beside the records. */
export function titleBeside(side: SideFacts): string | undefined {
  return titleOfText(side.last_prompt ?? "");
}

function lastSpoken(index: ClaudeIndex, steps: Steps): number {
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at] as number;
    const row = rowOfStep(step);
    if (isOnWay(step) && isSpoken(index, row)) return row;
  }
  return -1;
}

/** Records from the start on that are looked at to tell where a session began and what it is called. */
export const FIRST_STEPS = 24;
