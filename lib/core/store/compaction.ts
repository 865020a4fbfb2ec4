/** Makes the event of a compaction, and refuses options that name messages which cannot be kept. */
import { amount, checkArgument, type Guard, oneOf, optional, text, whole } from "../event/guard.ts";
import type { NewEvent } from "../event/envelope.ts";
import { present } from "../event/present.ts";
import { SessionError } from "../event/session_error.ts";
import type {
  RunningConversation,
  SentMessage,
} from "../projection/conversation/running_conversation.ts";
import { options, unchecked } from "./checked_options.ts";
import type { CompactOptions } from "./session_parts.ts";
import { spentGuard, withSpent } from "./spent.ts";

const compactOptions = options<CompactOptions>({
  summary: optional(text),
  // Checked with the event.
  messages: unchecked,
  keep_from: optional(whole(1)),
  keep_last: optional(whole(1)),
  status: optional(text),
  tokens_before: optional(amount),
  tokens_after: optional(amount),
  guidance: optional(text),
  trigger: optional(oneOf("manual", "auto")),
  spent: optional(spentGuard),
});

const consistent: Guard = (value) => {
  const reason = compactOptions(value);
  if (reason !== undefined) return reason;
  const { messages, ...given } = value as CompactOptions;
  const excluded = messages === undefined
    ? given.keep_from === undefined ? [] : ["keep_last"] as const
    : ["summary", "keep_from", "keep_last"] as const;
  const other = excluded.find((name) => given[name] !== undefined);
  if (other === undefined) return undefined;
  const beside = messages === undefined ? "keep_from" : "messages";
  return `has both ${beside} and ${other}, but ${other} would be ignored; give only one of them`;
};

/**
 * Returns the event of a compaction, after an empty response that records `spent`, if given.
 *
 * @param last_seq Number of the last event.
 * @param read Returns the conversation so far; called only if messages are to be kept.
 * @throws {SessionError} `invalid-event` for options that exclude each other, and for a `keep_from`
 * that names a summary, or no message of the conversation.
 */
export async function compactionOf(
  options: CompactOptions,
  last_seq: number,
  read: () => Promise<RunningConversation>,
): Promise<NewEvent[]> {
  checkArgument("compact session", "options", consistent, options, "invalid-event");
  const { keep_from, keep_last, status = "", spent, ...said } = options;
  const keeps = keep_from !== undefined || keep_last !== undefined;
  const first_kept_seq = keeps ? firstKept(await read(), options, last_seq) : undefined;
  const payload = present({ status, ...said, first_kept_seq });
  return withSpent({ kind: "compaction_applied", payload }, spent);
}

/** Returns the number of the first event to keep; undefined if there is no message. */
function firstKept(
  fold: RunningConversation,
  { keep_from, keep_last = 0 }: CompactOptions,
  last_seq: number,
): number | undefined {
  const { messages, compaction_seq, replaced_seq } = fold.conversation();
  const base = compaction_seq ?? replaced_seq;
  const named = messages.filter(({ seq }) => seq !== base);
  if (keep_from === undefined) return lastMessages(named, keep_last)?.seq;
  const is_before = keep_from < (named[0]?.seq ?? Infinity);
  const is_later = keep_from > last_seq;
  if (keep_from !== base && !is_before && !is_later && fold.isOnBranch(keep_from)) return keep_from;
  const why = keep_from === base
    ? "is the summary of an earlier compaction, not a message"
    : is_later
    ? "is not the number of an earlier message"
    : is_before
    ? "is no longer in the conversation, because an earlier compaction replaced it"
    : "is not part of the current conversation, but of an abandoned branch";
  const numbers = [...new Set(named.map(({ seq }) => seq))];
  const some = numbers.length > NAMED ? [numbers[0], "…", ...numbers.slice(1 - NAMED)] : numbers;
  const advice = numbers.length === 0
    ? "there is no message to keep, so leave out keep_from"
    : `give the number (seq) of one of these messages: ${
      some.join(", ")
    }; or keep the last messages, for example with keep_last: 4`;
  const message = `Cannot compact session: keep_from ${keep_from} ${why}; ${advice}`;
  throw new SessionError("invalid-event", message);
}

/** Maximum number of messages that an error names. */
const NAMED = 9;

/** Returns the first of the last `count` messages; for a tool result, the message with its call. */
function lastMessages(messages: readonly SentMessage[], count: number): SentMessage | undefined {
  let at = Math.max(0, messages.length - count);
  while (at > 0 && messages[at]?.role === "tool") at--;
  return messages[at];
}
