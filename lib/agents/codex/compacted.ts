/**
 * Compactions (codex-rs/core/src/session/rollout_reconstruction.rs): `replacement_history` replaces
 * all that the model gets. Older ones carry only a summary, `message`: what the user said is kept up
 * to 20,000 tokens, newest first, then comes the summary (core/src/compact.rs,
 * `build_compacted_history`).
 */
import type { KnownEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import { buildMessages } from "../../projection/responses.ts";
import { EventWriter } from "../event_writer.ts";
import { asList, asName, asObject, asText, present } from "../json_value.ts";
import { isContextual } from "./contextual_message.ts";
import { contentTexts, toContent, toParts } from "./item_content.ts";
import { applyResponseItem } from "./response_item.ts";
import { emit, endAnswer, originOf, type Rollout, startRollout } from "./rollout.ts";
import { type RolloutRecord, toRolloutRecord } from "./rollout_record.ts";
import type { Fate } from "./tool_call.ts";

const KEPT_TOKENS = 20_000;
/** Codex counts four bytes for a token (`approx_token_count`). */
const BYTES_PER_TOKEN = 4;
const SUMMARY = "Another language model started to solve this problem";

/** Takes a compaction. */
export function applyCompacted(rollout: Rollout, record: RolloutRecord): Fate {
  endAnswer(rollout);
  const { message, replacement_history } = record.payload;
  const summary = asName(message);
  const origin = originOf(rollout, record);
  const payload = { status: "Context compacted", summary };
  if (!Array.isArray(replacement_history)) {
    rollout.prompts = keptPrompts(rollout.prompts);
    const messages = compactedMessages(rollout.prompts, summary);
    emit(rollout, "compaction_applied", present({ ...payload, messages }), origin);
    return "event";
  }
  rollout.prompts = replacement_history.flatMap(promptOf);
  const messages = rollout.writer.wants("compaction_applied")
    ? itemMessages(rollout, replacement_history, record)
    : [];
  emit(rollout, "compaction_applied", present({ ...payload, messages }), origin);
  return "event";
}

function compactedMessages(prompts: readonly string[], summary: string | undefined): Message[] {
  const texts = [...prompts, summary ?? "(no summary available)"];
  return texts.map((content) => ({ role: "user", content }));
}

function promptOf(item: unknown): string[] {
  const { type, role, content } = asObject(item);
  if (type !== "message" || role !== "user" || isContextual(content)) return [];
  return [contentTexts(content)];
}

function keptPrompts(prompts: readonly string[]): string[] {
  const kept: string[] = [];
  let left = KEPT_TOKENS;
  for (const prompt of prompts.toReversed()) {
    if (left === 0) break;
    if (prompt.startsWith(SUMMARY)) continue;
    const tokens = Math.ceil(encoder.encode(prompt).length / BYTES_PER_TOKEN);
    kept.push(tokens <= left ? prompt : shortened(prompt, left));
    left = Math.max(0, left - tokens);
  }
  return kept.reverse();
}

const encoder = new TextEncoder();

/** The two ends of a text that is too long (utils/output-truncation, `truncate_text`). */
function shortened(text: string, tokens: number): string {
  const half = Math.floor(tokens * BYTES_PER_TOKEN / 2);
  const gone = Math.ceil((text.length - 2 * half) / BYTES_PER_TOKEN);
  if (gone <= 0) return text;
  return `${text.slice(0, half)}…${gone} tokens truncated…${text.slice(-half)}`.toWellFormed();
}

/** The messages of items, all of them: also those that nobody was shown. */
function itemMessages(
  { session }: Rollout,
  items: readonly unknown[],
  { time, source }: RolloutRecord,
): Message[] {
  const messages: Message[] = [];
  let part = startRollout(session, new EventWriter(session), true);
  const close = (): void => {
    endAnswer(part);
    messages.push(...buildMessages(part.writer.take() as KnownEvent[]).messages);
    part = startRollout(session, new EventWriter(session), true);
  };
  for (const item of asList(items)) {
    const { type, role, content } = asObject(item);
    if (type === "message" && (role === "developer" || role === "system")) {
      close();
      messages.push({ role: "system", content: toContent(toParts(content)) });
      continue;
    }
    const value = { type: "response_item", payload: item, timestamp: asText(time) };
    applyResponseItem(part, toRolloutRecord({ ...source, value }));
  }
  close();
  return messages;
}
