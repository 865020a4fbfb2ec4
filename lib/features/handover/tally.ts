/** Counts the parts of a conversation that is handed over. */

/** The account of a conversation: counts of its parts that are handed over or left out. */
export interface HandoverTally {
  /** Messages of the user. */
  prompts: number;
  /** Messages in the user's place that no user typed. */
  notices: number;
  /** Messages of the model. */
  answers: number;
  /** Turns of the conversation, those before included. */
  turns: number;
  /** Tokens of the texts that the model gets, estimated. */
  text_tokens: number;
  /** Characters of them that JSON escapes. */
  escapes: number;
  /** Calls as they were, but for their ids. */
  native: number;
  /** Calls as the target's own tools take them. */
  mapped: number;
  /** Calls told in words. */
  told: number;
  /** Calls without a result. */
  unanswered: number;
  /** Calls that came from the target's agent, and are again what they were there. */
  restored: number;
  /** Reasoning that goes back to its provider. */
  reasoning: number;
  /** Reasoning that is left out. */
  dropped_reasoning: number;
  /** Messages with nothing in them. */
  empty: number;
  /** Histories that only their provider can read. */
  sealed: number;
  /** Images that are handed over. */
  images: number;
  /** Images and files of which only the name is handed over. */
  attachments: number;
  /** Messages of the system. */
  system: number;
  /** Messages, and parts of them, that an agent told its model in the user's name. */
  environment: number;
  /** Names of those, each once. */
  hidden_names: Set<string>;
  /** Files and texts by name that go along with a prompt. */
  attached: number;
}

/** Counts of the parts of messages, by what became of them. */
export type PartCounts = Pick<HandoverTally, "images" | "attachments">;

/** Counts of what the user never saw. */
export type Unseen = Pick<HandoverTally, "system" | "environment" | "hidden_names" | "attached">;

/** Counts a hidden text that is left out. */
export function leaveOutHidden(unseen: Unseen, name: string): void {
  unseen.environment++;
  if (name !== "") unseen.hidden_names.add(name);
}

/** Counts of messages and calls, by their outcome. */
export type MessageCounts = Omit<
  HandoverTally,
  keyof Unseen | "prompts" | "notices" | "answers" | "turns" | "text_tokens" | "escapes"
>;

export function noCounts(): MessageCounts {
  return {
    ...{ native: 0, mapped: 0, told: 0, unanswered: 0, restored: 0 },
    ...{ reasoning: 0, dropped_reasoning: 0, empty: 0, sealed: 0, images: 0, attachments: 0 },
  };
}

export function emptyTally(): HandoverTally {
  return {
    ...noCounts(),
    ...{ prompts: 0, notices: 0, answers: 0, turns: 0, text_tokens: 0, escapes: 0 },
    ...{ system: 0, environment: 0, hidden_names: new Set(), attached: 0 },
  };
}

export function addCounts(tally: MessageCounts, counts: MessageCounts): void {
  for (const name of Object.keys(counts) as (keyof MessageCounts)[]) tally[name] += counts[name];
}

/** Tokens of an image: what providers take for one of the usual size. */
const TOKENS_PER_IMAGE = 1500;
/** Tokens around a message, and around a call: its id is there twice. */
const TOKENS_PER_MESSAGE = 6;
const TOKENS_PER_CALL = 50;
/** Tokens of an escaped character, where the JSON of messages is counted. */
const TOKENS_PER_ESCAPE = 0.7;

/**
 * Estimates the tokens of a conversation.
 *
 * @param as_json True for an agent that counts the JSON of its messages.
 */
export function estimatedTokens(tally: HandoverTally, as_json: boolean): number {
  const { text_tokens, escapes, images, prompts, notices, answers, mapped, native } = tally;
  return Math.ceil(
    text_tokens + (as_json ? escapes * TOKENS_PER_ESCAPE : 0) + images * TOKENS_PER_IMAGE +
      (prompts + notices + answers) * TOKENS_PER_MESSAGE + (mapped + native) * TOKENS_PER_CALL,
  );
}
