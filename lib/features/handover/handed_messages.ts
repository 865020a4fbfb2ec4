/** Makes the messages that are handed over, with their times, and the notice before them. */
import type { Redactor } from "../../text/redaction/redactor.ts";
import type {
  HandedCall,
  HandedMessage,
  HandedPart,
} from "../../agents/contract/session_writer.ts";
import { Conversion, type ConversionOptions, type TurnedMessage } from "./conversion.ts";
import { earlierNotice, isNotice, openingNotice } from "./notice.ts";
import type { SpokenMessage } from "./spoken_messages.ts";
import { addCounts, type HandoverTally } from "./tally.ts";
import { tokensIn } from "./token_count.ts";

export interface WholeConversation {
  /** Number of messages that are handed over. */
  count: number;
  /** Index of the last answer, or -1 if there is none. */
  last_answer: number;
  /** Estimated number of tokens of the conversation. */
  tokens: number;
}

export interface HandedOptions extends ConversionOptions {
  /**
   * True if the session returns to the agent that it came from, and this agent can hide messages.
   * Then messages that the user did not see are handed over, too, and stay hidden.
   */
  same_request: boolean;
  skip_turns: number;
  /** The time of the hand-over, in Unix milliseconds. No message gets a later time. */
  now: number;
  /** The time when the session began, in Unix milliseconds. */
  begun: number;
  /** Facts of the whole conversation. Absent in a first pass that only measures the messages. */
  whole?: WholeConversation;
}

export async function* handedMessages(
  batches: AsyncIterable<readonly SpokenMessage[]>,
  options: HandedOptions,
  tally: HandoverTally,
): AsyncGenerator<HandedMessage> {
  const conversion = new Conversion(options);
  const placed: Placed = { turns: 0, index: 0, time: options.begun - 1, role: undefined };
  for await (const batch of batches) {
    conversion.add(batch);
    yield* placedMessages(placed, conversion.take(), options, tally);
  }
  yield* placedMessages(placed, conversion.takeLast(), options, tally);
  addCounts(tally, conversion.rest);
}

interface Placed {
  turns: number;
  index: number;
  time: number;
  /** The role of the previous message, even if that message was left out. */
  role: HandedMessage["role"] | undefined;
}

function* placedMessages(
  placed: Placed,
  messages: readonly TurnedMessage[],
  options: HandedOptions,
  tally: HandoverTally,
): Generator<HandedMessage> {
  for (const { message, said_at, counts } of messages) {
    const prompts = message.role === "user" && !isNotice(message);
    if (prompts && placed.role !== "user") placed.turns++;
    if (prompts || message.role === "assistant") placed.role = message.role;
    tally.turns = placed.turns;
    if (options.skip_turns > 0 && placed.turns <= options.skip_turns) continue;
    addCounts(tally, counts);
    if (placed.index === 0) {
      const before = openingText(message, options);
      if (before !== undefined) yield* place(placed, before, said_at, options, tally);
    }
    yield* place(placed, message, said_at, options, tally);
  }
}

/** Returns the notice before the first message, if turns were skipped or an answer comes first. */
function openingText(
  first: HandedMessage,
  { from, skip_turns }: HandedOptions,
): HandedMessage | undefined {
  const text = skip_turns > 0
    ? earlierNotice(from)
    : first.role === "user"
    ? undefined
    : openingNotice(from);
  if (text === undefined) return undefined;
  return { role: "user", time: 0, parts: [{ type: "text", text }] };
}

function* place(
  placed: Placed,
  message: HandedMessage,
  said_at: string | undefined,
  { whole, now }: HandedOptions,
  tally: HandoverTally,
): Generator<HandedMessage> {
  const said = said_at === undefined ? NaN : Date.parse(said_at);
  const next = placed.time + 1;
  const time = Number.isNaN(said) ? next : Math.max(said, next);
  // The following messages need a millisecond each before `now`.
  const latest = now - ((whole?.count ?? 0) - placed.index);
  message.time = whole === undefined ? time : Math.min(time, latest);
  placed.time = message.time;
  if (message.role === "assistant" && placed.index === whole?.last_answer) {
    message.total_tokens = whole.tokens;
  }
  placed.index++;
  count(message, tally, whole === undefined);
  yield message;
}

function count(message: HandedMessage, tally: HandoverTally, measured: boolean): void {
  if (message.role === "assistant") tally.answers++;
  else if (isNotice(message)) tally.notices++;
  else tally.prompts++;
  if (!measured) return;
  for (const text of textsOf(message)) {
    tally.text_tokens += tokensIn(text);
    // Two of the characters are the quotes.
    tally.escapes += JSON.stringify(text).length - text.length - 2;
  }
}

function textsOf(message: HandedMessage): string[] {
  if (message.role === "user") return textsIn(message.parts);
  const calls = message.calls.flatMap((
    { name, input, output },
  ) => [name, JSON.stringify(input), ...textsIn(output)]);
  return [message.text, ...calls, ...message.reasoning.map(({ text }) => text)];
}

function textsIn(parts: readonly HandedPart[]): string[] {
  return parts.flatMap((part) => part.type === "text" ? part.text : []);
}

/**
 * Returns a message with its secrets replaced. The redactor counts them. Images and reasoning are
 * not searched.
 */
export function withoutSecrets(redactor: Redactor, message: HandedMessage): HandedMessage {
  if (message.role === "user") {
    return { ...message, parts: partsWithout(redactor, message.parts, "prompt") };
  }
  return {
    ...message,
    text: redactor.text(message.text, "answer"),
    calls: message.calls.map((call) => callWithout(redactor, call)),
  };
}

function partsWithout(
  redactor: Redactor,
  parts: readonly HandedPart[],
  field: string,
): HandedPart[] {
  return parts.map((part) =>
    part.type === "text" ? { ...part, text: redactor.text(part.text, field) } : part
  );
}

function callWithout(redactor: Redactor, call: HandedCall): HandedCall {
  const { input, output, original } = call;
  const own = redactor.value(input, "input") as HandedCall["input"];
  const before = own === input ? original : { ...original, ...withoutInput(redactor, original) };
  return {
    ...call,
    input: own,
    output: partsWithout(redactor, output, "output"),
    original: before,
  };
}

/** Replaces secrets in a call's original input, which is stored beside the converted input. */
function withoutInput(
  redactor: Redactor,
  { input }: HandedCall["original"],
): { input?: unknown } {
  return input === undefined ? {} : { input: redactor.value(input, "input") };
}
