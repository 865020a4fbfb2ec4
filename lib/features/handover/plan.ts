/**
 * Reads a session and counts what would be handed over, before anything is written. The messages
 * are read again when they are written, so they are never all in memory.
 */
import type { AgentName } from "../../core/event/agent_name.ts";
import type { LogEvent } from "../../core/event/envelope.ts";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { OnProgress } from "../../library/handle/read_progress.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type { Redactor } from "../../text/redaction/redactor.ts";
import type { HandedMessage } from "../../agents/contract/session_writer.ts";
import {
  handedMessages,
  type HandedOptions,
  type WholeConversation,
  withoutSecrets,
} from "./handed_messages.ts";
import { type HandedSource, handedSource, isBeingWritten } from "./handover_record.ts";
import { type InForce, InForceFinder } from "../../core/projection/conversation/in_force.ts";
import { findOriginalCalls } from "./original_calls.ts";
import { sessionEnds, SPOKEN_KINDS, spokenMessages } from "./spoken_messages.ts";
import { emptyTally, estimatedTokens, type HandoverTally } from "./tally.ts";
import { type HandoverTarget, writerOf } from "./target.ts";

/** Options of a hand-over that decide which content is handed over. */
export interface HandoverPlanOptions {
  /**
   * The form of calls. `mapped`: as calls of the target's own tools. `native`: under their original
   * names. `text`: described in words. @default {"mapped"}
   */
  tools?: "mapped" | "native" | "text";
  /**
   * The reasoning to hand over. `keep`: reasoning that can be sent back to the provider that made
   * it.
   * @default {"drop"}
   */
  reasoning?: "drop" | "keep";
  /** Maximum number of turns to hand over, counted from the end. @default {all} */
  last?: number;
  /** True to replace the secrets that are found. @default {false} */
  redact?: boolean;
  /** Unix milliseconds: the time of the hand-over. */
  now: number;
  /** Stops reading. */
  signal?: AbortSignal;
  /**
   * Receives the progress while the session's file is read. The file may be read more than once.
   */
  onProgress?: OnProgress;
}

/** A planned hand-over, with the counts of what is handed over. */
export interface HandoverPlan {
  /** The session's reference, such as `claude:3f2a…`. */
  from: string;
  /** The state of the session when it was read. */
  source: HandedSource;
  /** The agent that receives the session. */
  agent: AgentName;
  /** The counts of what is handed over and of what is left out. */
  tally: HandoverTally;
  /** Estimated number of tokens that the target's model gets. */
  tokens: number;
  /** Number of secrets that were found, by kind. */
  secrets: ReadonlyMap<string, number>;
  /** True if the secrets are replaced in what is handed over. */
  redacted: boolean;
  /** The session's own title, if it has one. */
  title?: string | undefined;
  /** The directory that the session belongs to, absent if the session records none. */
  cwd?: string | undefined;
  /** True if a program may be writing the session. Only the messages so far are handed over. */
  in_use: boolean;
  /** True if a compaction replaces earlier messages. */
  compacted: boolean;
  /** True if only the last turns are handed over. */
  cut: boolean;
  /** Unix milliseconds of the first message. */
  begun: number;
  /** Unix milliseconds: the time of the hand-over. */
  now: number;
  /** Returns a text without lone surrogates, and with `redact` also without secrets. */
  plain(text: string): string;
  /** Yields the messages to hand over. Reads the session again each time. */
  messages(): AsyncGenerator<HandedMessage>;
}

/**
 * Plans the hand-over of a session. Reads the session, and writes nothing.
 *
 * @param handle The session, as a `Library` opens it.
 * @param target The agent that gets the session, as {@linkcode handoverTarget} loads it.
 * @param options Which content to hand over.
 * @returns The plan, for {@linkcode handOver} or only to look at.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { handoverTarget, planHandover } from "@reprise/reprise/handover";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const session = openStore({ root }).create({ cwd: root });
 * await session.turn().user("Hello");
 * await session.finish();
 *
 * const library = openLibrary({ root, variable: () => undefined });
 * const target = await handoverTarget("pi", library.place.environment);
 * const plan = await planHandover(await library.open(session.id), target, { now: Date.now() });
 * assert.equal(plan.tally.prompts, 1);
 * await rm(root, { recursive: true });
 * ```
 *
 * @throws {SessionError} `not-found` if the session has no messages; `permission`, `io`,
 * `unsupported-source`
 */
export async function planHandover(
  handle: SessionHandle,
  { agent }: Pick<HandoverTarget, "agent">,
  options: HandoverPlanOptions,
): Promise<HandoverPlan> {
  const { tools = "mapped", reasoning = "drop", redact = false, last, now } = options;
  const { signal, onProgress } = options;
  const events = present({ needs: SPOKEN_KINDS, signal, onProgress });
  const source = await handedSource(handle, options);
  const summary = await handle.summary();
  const { created_at, cwd } = summary;
  const from = `${handle.agent}:${handle.id}`;
  const writer = await writerOf(agent);
  const choice: HandedOptions = {
    writer,
    same_request: handle.agent === agent && writer.hides === true,
    form: tools,
    // Reasoning that a provider signed cannot be changed.
    keep_reasoning: reasoning === "keep" && !redact,
    cwd: cwd ?? "",
    original: await findOriginalCalls(handle, signal),
    isOwn: (session) => session.startsWith(`${agent}:`),
    from,
    skip_turns: 0,
    now,
    begun: begunAt(created_at, now),
  };
  const { counted, chosen, in_force, read } = await surveyEnd(handle, choice, last, signal) ??
    await survey(() => handle.events(events), choice, last);
  const { tally, whole, begun, redactor } = counted;
  if (whole.count === 0) throw nothingSaid(handle);
  const secrets = new Map(redactor.counts);
  const plain = (text: string): string =>
    (redact ? redactor.text(text, "title") : text).toWellFormed();
  const cut = chosen.skip_turns > 0;
  return {
    ...{ from, source, agent, tally, tokens: whole.tokens, secrets, redacted: redact, now, plain },
    ...{ title: ownTitle(summary, cut), cwd },
    in_use: await isBeingWritten(handle, now),
    compacted: in_force.compacted,
    cut,
    begun: Math.min(begun, now - whole.count),
    async *messages(): AsyncGenerator<HandedMessage> {
      for await (const message of checkedMessages(read, chosen, whole)) {
        yield redact ? withoutSecrets(redactor, message) : message;
      }
    },
  };
}

type Read = (options: HandedOptions, tally: HandoverTally) => AsyncGenerator<HandedMessage>;

interface Counted {
  tally: HandoverTally;
  whole: WholeConversation;
  begun: number;
  redactor: Redactor;
}

interface Survey {
  counted: Counted;
  chosen: HandedOptions;
  in_force: InForce;
  read: Read;
}

/**
 * Counts the messages to hand over. Reads the session once, or again if a compaction replaces
 * earlier messages or only the last turns are wanted. Searches for secrets only in these messages.
 */
async function survey(
  events: () => AsyncIterable<readonly LogEvent[]>,
  choice: HandedOptions,
  last: number | undefined,
): Promise<Survey> {
  const finder = new InForceFinder();
  const whole: InForce = { base: [], from_seq: 0, through_seq: Infinity, compacted: false };
  const look = last === undefined;
  let counted = await countMessages(choice, (handed, tally) => {
    const batches = finder.upToReplacement(events());
    return handedMessages(
      spokenMessages(batches, whole, tally, choice.same_request),
      handed,
      tally,
    );
  }, look);
  const in_force = finder.found;
  const read: Read = (handed, tally) =>
    handedMessages(spokenMessages(events(), in_force, tally, choice.same_request), handed, tally);
  if (in_force.compacted) counted = await countMessages(choice, read, look);
  const { turns } = counted.tally;
  const chosen = { ...choice, skip_turns: Math.max(0, turns - (last ?? turns)) };
  if (!look) counted = await countMessages(chosen, read);
  return { counted, chosen, in_force, read };
}

/**
 * Counts the messages of the last `last` turns. Reads only the session's end. Returns undefined if
 * the end has too few turns. Leaves out the summary of a compaction, because the summary precedes
 * these turns.
 */
async function surveyEnd(
  handle: SessionHandle,
  choice: HandedOptions,
  last: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Survey | undefined> {
  if (last === undefined) return undefined;
  for await (const events of sessionEnds(handle, signal)) {
    const finder = new InForceFinder();
    for await (const _ of finder.upToReplacement(batchOf(events))) { /* only where it begins */ }
    const in_force = { ...finder.found, base: [], compacted: false };
    const read: Read = (handed, tally) =>
      handedMessages(
        spokenMessages(batchOf(events), in_force, tally, choice.same_request),
        handed,
        tally,
      );
    const { tally } = await countMessages(choice, read, false);
    if (tally.turns <= last) continue;
    const chosen = { ...choice, skip_turns: tally.turns - last };
    return { counted: await countMessages(chosen, read), chosen, in_force, read };
  }
  return undefined;
}

async function* batchOf(events: readonly LogEvent[]): AsyncGenerator<readonly LogEvent[]> {
  yield events;
}

/**
 * Returns the title that the session was given. Without a given title, returns the first prompt if
 * the hand-over leaves out this prompt.
 */
function ownTitle(
  { title, first_user_message = "" }: Summary,
  cut: boolean,
): string | undefined {
  const given = title !== "" && title !== first_user_message;
  if (given) return title;
  return cut && first_user_message !== "" ? first_user_message : undefined;
}

async function countMessages(
  options: HandedOptions,
  read: Read,
  look = true,
): Promise<Counted> {
  const { Redactor } = await import("../../text/redaction/redactor.ts");
  const tally = emptyTally();
  const redactor = new Redactor();
  const whole = { count: 0, last_answer: -1, tokens: 0 };
  const counted = { tally, whole, redactor, begun: options.begun };
  for await (const message of read(options, tally)) {
    const { role, time } = message;
    if (look) withoutSecrets(redactor, message);
    if (counted.whole.count === 0) counted.begun = time;
    if (role === "assistant") counted.whole.last_answer = counted.whole.count;
    counted.whole.count++;
  }
  counted.whole.tokens = estimatedTokens(tally, options.writer.counts_json === true);
  return counted;
}

/**
 * Yields the messages to hand over, and checks that there are `whole.count` messages.
 *
 * @throws {SessionError} `io` if the number differs, because the session was rewritten.
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
  const message =
    `Cannot hand over ${options.from}: the session was rewritten while Reprise read it. Try again`;
  throw new SessionError("io", message, { ref: options.from });
}

function begunAt(created_at: string | undefined, now: number): number {
  const begun = created_at === undefined ? NaN : Date.parse(created_at);
  return Number.isNaN(begun) ? now : Math.min(begun, now);
}

function nothingSaid({ ref }: SessionHandle): SessionError {
  return new SessionError("not-found", `Cannot hand over ${ref}: the session has no messages`, {
    ref,
  });
}
