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
  /** Characters that the model gets, images not counted. */
  characters: number;
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
  keyof Unseen | "prompts" | "notices" | "answers" | "turns" | "characters"
>;

export function noCounts(): MessageCounts {
  return {
    native: 0,
    mapped: 0,
    told: 0,
    unanswered: 0,
    restored: 0,
    reasoning: 0,
    dropped_reasoning: 0,
    empty: 0,
    sealed: 0,
    images: 0,
    attachments: 0,
  };
}

export function emptyTally(): HandoverTally {
  return {
    ...noCounts(),
    prompts: 0,
    notices: 0,
    answers: 0,
    turns: 0,
    characters: 0,
    system: 0,
    environment: 0,
    hidden_names: new Set(),
    attached: 0,
  };
}

export function addCounts(tally: MessageCounts, counts: MessageCounts): void {
  for (const name of Object.keys(counts) as (keyof MessageCounts)[]) tally[name] += counts[name];
}

/** Characters of a token: an estimate that all models are near to. */
const CHARACTERS_PER_TOKEN = 4;
/** Tokens of an image: what providers take for one of the usual size. */
const TOKENS_PER_IMAGE = 1500;

/** Estimates the tokens of a conversation. */
export function estimatedTokens({ characters, images }: HandoverTally): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + images * TOKENS_PER_IMAGE;
}
