/** Counts the parts of a conversation that is handed over. */

/** The counts of what is handed over of a conversation, and of what is left out. */
export interface HandoverTally {
  /** Number of messages of the user. */
  prompts: number;
  /** Number of messages in the user's role that no user typed. */
  notices: number;
  /** Number of messages of the model. */
  answers: number;
  /** Number of turns, including turns that are left out at the start. */
  turns: number;
  /** Estimated number of tokens of the texts that the model gets. */
  text_tokens: number;
  /** Number of characters that JSON escapes, in the texts that the model gets. */
  escapes: number;
  /** Number of calls that are unchanged, except for their ids. */
  native: number;
  /** Number of calls that became calls of the target's own tools. */
  mapped: number;
  /** Number of calls that became a description in words. */
  told: number;
  /** Number of calls without a result. */
  unanswered: number;
  /** Number of calls that the target's agent had made, and gets back in their original form. */
  restored: number;
  /** Number of reasoning parts that go back to their provider. */
  reasoning: number;
  /** Number of reasoning parts that are left out. */
  dropped_reasoning: number;
  /** Number of messages that are left out because they have no content. */
  empty: number;
  /** Number of encrypted histories that only their provider can read. */
  sealed: number;
  /** Number of images that are handed over. */
  images: number;
  /** Number of images and files of which only the name is handed over. */
  attachments: number;
  /** Number of system messages that are left out. */
  system: number;
  /** Number of messages and parts that an agent wrote in the user's name, and that are left out. */
  environment: number;
  /** Distinct names of the hidden messages and parts that are left out. */
  hidden_names: Set<string>;
  /** Number of attached files and texts that are handed over with a prompt. */
  attached: number;
}

export type PartCounts = Pick<HandoverTally, "images" | "attachments">;

export type Unseen = Pick<HandoverTally, "system" | "environment" | "hidden_names" | "attached">;

export function leaveOutHidden(unseen: Unseen, name: string): void {
  unseen.environment++;
  if (name !== "") unseen.hidden_names.add(name);
}

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

const TOKENS_PER_IMAGE = 1500;
const TOKENS_PER_MESSAGE = 6;
/** Estimated number of tokens of a call besides its texts. Its id occurs twice. */
const TOKENS_PER_CALL = 50;
const TOKENS_PER_ESCAPE = 0.7;

/** @param as_json True for an agent that counts the JSON of its messages. */
export function estimatedTokens(tally: HandoverTally, as_json: boolean): number {
  const { text_tokens, escapes, images, prompts, notices, answers, mapped, native } = tally;
  return Math.ceil(
    text_tokens + (as_json ? escapes * TOKENS_PER_ESCAPE : 0) + images * TOKENS_PER_IMAGE +
      (prompts + notices + answers) * TOKENS_PER_MESSAGE + (mapped + native) * TOKENS_PER_CALL,
  );
}
