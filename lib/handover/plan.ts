/**
 * Reads a session and says what would be handed over, before anything is written. The messages are
 * read again when they are written: nothing holds them.
 */
import type { AgentName } from "../event/agent_name.ts";
import { SessionError } from "../event/session_error.ts";
import type { SessionHandle } from "../library/session_handle.ts";
import type { HandedMessage, SessionWriter } from "../source/session_writer.ts";
import type { CallForm } from "./handed_call.ts";
import { handedMessages, type HandedOptions, type WholeConversation } from "./handed_messages.ts";
import { findInForce } from "./in_force.ts";
import { SPOKEN_KINDS, spokenMessages } from "./spoken_messages.ts";
import { emptyTally, estimatedTokens, type HandoverTally } from "./tally.ts";

/** What is handed over, and how. */
export interface HandoverPlanOptions {
  /** How calls are handed over. @default {"mapped"} */
  tools?: CallForm;
  /** `keep`: reasoning that its provider gets back goes along. @default {"drop"} */
  reasoning?: "drop" | "keep";
  /** The most turns, counted from the end. @default {all} */
  last?: number;
  /** Unix milliseconds: the time of the hand-over. */
  now: number;
  /** Stops reading. */
  signal?: AbortSignal;
}

/** What would be handed over. */
export interface HandoverPlan {
  /** The session, such as `claude:3f2a…`. */
  from: string;
  /** The agent that gets it. */
  agent: AgentName;
  /** What becomes of the conversation, counted. */
  tally: HandoverTally;
  /** An estimate of the tokens that the target's model gets. */
  tokens: number;
  /** Whether a compaction stands in the place of what came before. */
  compacted: boolean;
  /** Turns that are left out before the first one. */
  skipped_turns: number;
  /** Unix milliseconds of the first message. */
  begun: number;
  /** Reads the messages: the session is read again. */
  messages(): AsyncGenerator<HandedMessage>;
}

/**
 * Plans to hand a session over.
 *
 * @throws {SessionError} `not-found` where nothing was said; `permission`, `io`, `unsupported-source`
 */
export async function planHandover(
  handle: SessionHandle,
  { agent, writer }: { agent: AgentName; writer: SessionWriter },
  options: HandoverPlanOptions,
): Promise<HandoverPlan> {
  const { tools = "mapped", reasoning = "drop", last, now, signal } = options;
  const events = { needs: SPOKEN_KINDS, ...(signal === undefined ? {} : { signal }) };
  const { created_at, cwd } = await handle.summary();
  const from = `${handle.agent}:${handle.id}`;
  const in_force = await findInForce(handle.events(events));
  const choice: HandedOptions = {
    writer,
    form: tools,
    keep_reasoning: reasoning === "keep",
    cwd: cwd ?? "",
    from,
    skip_turns: 0,
    now,
    begun: begunAt(created_at, now),
  };
  const read = (handed: HandedOptions, tally: HandoverTally): AsyncGenerator<HandedMessage> =>
    handedMessages(spokenMessages(handle.events(events), in_force, tally), handed, tally);
  let counted = await countMessages(choice, read);
  const skip_turns = last === undefined ? 0 : Math.max(0, counted.tally.turns - last);
  if (skip_turns > 0) counted = await countMessages({ ...choice, skip_turns }, read);
  if (counted.whole.count === 0) throw nothingSaid(handle);
  return {
    from,
    agent,
    tally: counted.tally,
    tokens: counted.whole.tokens,
    compacted: in_force.compacted,
    skipped_turns: skip_turns,
    begun: Math.min(counted.begun, now - counted.whole.count),
    messages: () => checkedMessages(read, { ...choice, skip_turns }, counted.whole),
  };
}

type Read = (options: HandedOptions, tally: HandoverTally) => AsyncGenerator<HandedMessage>;

/** What counting found. */
interface Counted {
  tally: HandoverTally;
  whole: WholeConversation;
  begun: number;
}

async function countMessages(options: HandedOptions, read: Read): Promise<Counted> {
  const tally = emptyTally();
  const counted = { tally, whole: { count: 0, last_answer: -1, tokens: 0 }, begun: options.begun };
  for await (const { role, time } of read(options, tally)) {
    if (counted.whole.count === 0) counted.begun = time;
    if (role === "assistant") counted.whole.last_answer = counted.whole.count;
    counted.whole.count++;
  }
  counted.whole.tokens = estimatedTokens(tally);
  return counted;
}

/**
 * @throws {SessionError} `io` where the session says something else than before.
 */
async function* checkedMessages(
  read: Read,
  options: HandedOptions,
  whole: WholeConversation,
): AsyncGenerator<HandedMessage> {
  let count = 0;
  for await (const message of read({ ...options, whole }, emptyTally())) {
    if (++count > whole.count) break;
    yield message;
  }
  if (count === whole.count) return;
  const message = `Cannot hand over ${options.from}: it was rewritten while it was read. Try again`;
  throw new SessionError("io", message, { ref: options.from });
}

function begunAt(created_at: string | undefined, now: number): number {
  const begun = created_at === undefined ? NaN : Date.parse(created_at);
  return Number.isNaN(begun) ? now : Math.min(begun, now);
}

function nothingSaid({ ref }: SessionHandle): SessionError {
  return new SessionError("not-found", `Cannot hand over ${ref}: nothing was said in it`, { ref });
}
