/**
 * What comes before the records of a Claude Code session: when and where it began, what it is called,
 * and what it was forked from.
 */
import type { SessionStartedPayload } from "../../event/payload.ts";
import type { AgentSession } from "../../source/agent.ts";
import { isoTime } from "../iso_time.ts";
import { asName, asObject } from "../json_value.ts";
import type { TalkRecord } from "./emission.ts";
import { isSpoken } from "./live_leaf.ts";
import type { PathStep } from "./answer_siblings.ts";
import type { RecordIndex } from "./record_index.ts";
import { promptText } from "./user_events.ts";

/** What the first records say of the session. */
export function toStarted(
  session: AgentSession,
  { side }: RecordIndex,
  first: Iterable<TalkRecord>,
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
    app: { name: "Claude Code", ...(version === undefined ? {} : { version }) },
    ...(branch === undefined ? {} : { git: { branch } }),
    ...(forked === undefined ? {} : { parent: { session_id: forked, reason: "fork" } }),
  };
}

/** The title that was given: by the user, or else by Claude Code. */
export function givenTitle({ side }: RecordIndex): string | undefined {
  return side.custom_title || side.ai_title || undefined;
}

/**
 * What a session without a title is called: by the summary of its last record, by its last prompt, or
 * by its first one.
 */
export function standInTitle(
  { side }: RecordIndex,
  steps: readonly PathStep[],
  first: Iterable<TalkRecord>,
): string | undefined {
  const leaf = steps.findLast(({ node, sibling }) => isSpoken(node) && !sibling)?.node.id;
  const summary = leaf === undefined ? undefined : side.summaries?.get(leaf);
  if (summary !== undefined) return summary;
  if (side.last_prompt !== undefined) return side.last_prompt;
  for (const { record } of first) {
    const text = promptText(record);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Records from the start on that are looked at to tell where a session began and what it is called. */
export const FIRST_STEPS = 24;
