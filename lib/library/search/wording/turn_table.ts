/**
 * Joins messages to turns: a prompt and the answers to it, each thread by itself. What index and
 * scan tell of messages makes the same turns. Pure.
 */
import type { AgentSession } from "../../../agents/contract/agent.ts";
import type { SearchRole } from "../searchable_text.ts";
import type { SearchedSession } from "../search_task.ts";
import { scoreTurns, type TurnScores, weightOf } from "./score.ts";

/** The roles whose texts make turns. */
export type SaidRole = Extract<SearchRole, "user" | "assistant">;

export function isSaid(role: SearchRole): role is SaidRole {
  return role === "user" || role === "assistant";
}

/** The place of a message in its session. */
export interface MessagePlace {
  seq: number;
  role: SaidRole;
  thread: string;
  /** The time of the message in milliseconds since 1970; NaN if unknown. */
  time: number;
  /** Byte offset of the message's line in a Reprise log. */
  offset: number;
  length: number;
}

/** The facts of a message from which a {@linkcode TurnTable} makes turns. */
export interface TurnMessage {
  /** The question's words in the message, one bit per word. */
  words: number;
  /** Number of words in the message. */
  length: number;
  is_prompt: boolean;
  /** True if the message is the first of a thread that is not the main thread. */
  begins_thread: boolean;
}

/** Successive messages of one session. */
export interface TurnSegment {
  searched: SearchedSession;
  /** Returns the place of a message by its index in the segment; undefined if the index changed. */
  placeOf(index: number): MessagePlace | undefined;
  is_indexed: boolean;
}

/** The best turn of a session, and its best message. */
export interface BestTurn {
  segment: TurnSegment;
  /** Index of the message in its segment. */
  index: number;
  /** The question's words in the message, a bit for each. */
  words: number;
  score: number;
  is_strong: boolean;
}

/** The turns of sessions, and the messages with words of a question. */
export class TurnTable {
  readonly #segments: TurnSegment[] = [];
  /** Arrays by turn: words, those of the prompt, length, session, true for the main thread. */
  readonly #words: number[] = [];
  readonly #prompts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #owners: AgentSession[] = [];
  readonly #mains: boolean[] = [];
  /** Arrays by message with a word of the question: turn, words, segment, index in the segment. */
  readonly #turns: number[] = [];
  readonly #held: number[] = [];
  readonly #places: number[] = [];
  readonly #indexes: number[] = [];
  /** The turn that the next answer belongs to; −1 without one. */
  #turn = -1;
  #is_main = true;
  /** The last turn of each session's main thread. */
  readonly #last = new Map<AgentSession, number>();

  /** Begins a segment. It continues the latest turn of its session's main thread. */
  begin(segment: TurnSegment): void {
    this.#segments.push(segment);
    this.#turn = this.#last.get(segment.searched.session) ?? -1;
    this.#is_main = true;
  }

  /** Adds a message of the current segment. */
  add({ words, length, is_prompt, begins_thread }: TurnMessage, index: number): void {
    const { session } = (this.#segments.at(-1) as TurnSegment).searched;
    if (begins_thread) this.#is_main = false;
    if (is_prompt || begins_thread || this.#turn < 0) {
      this.#turn = this.#words.push(0) - 1;
      this.#prompts.push(0);
      this.#lengths.push(0);
      this.#owners.push(session);
      this.#mains.push(this.#is_main);
    }
    const turn = this.#turn;
    if (this.#is_main) this.#last.set(session, turn);
    this.#lengths[turn]! += length;
    if (words === 0) return;
    this.#words[turn]! |= words;
    if (is_prompt) this.#prompts[turn]! |= words;
    this.#turns.push(turn);
    this.#held.push(words);
    this.#places.push(this.#segments.length - 1);
    this.#indexes.push(index);
  }

  /** Returns the best turn of each session, unordered. @param count The question's words. */
  bestTurns(count: number): BestTurn[] {
    const columns = { words: this.#words, prompts: this.#prompts, lengths: this.#lengths };
    const found = scoreTurns(columns, count);
    const best = new Map<AgentSession, number>();
    for (const [turn, score] of found.scores.entries()) {
      if (score === 0) continue;
      const owner = this.#owners[turn] as AgentSession;
      const before = best.get(owner) ?? -1;
      const least = found.scores[before] ?? 0;
      // Of equal ones, that of the main thread, whose turns an index may have in several parts.
      const is_first = score === least && this.#mains[turn] === true && !this.#mains[before];
      if (score > least || is_first) best.set(owner, turn);
    }
    return this.#bestMessages(new Set(best.values()), found);
  }

  /** Returns each turn's message whose words weigh the most; the first of equal ones. */
  #bestMessages(
    turns: ReadonlySet<number>,
    { weights, scores, isStrong }: TurnScores,
  ): BestTurn[] {
    const best = new Map<number, { at: number; weight: number }>();
    for (const [at, turn] of this.#turns.entries()) {
      if (!turns.has(turn)) continue;
      const weight = weightOf(this.#held[at] ?? 0, weights);
      if (weight > (best.get(turn)?.weight ?? 0)) best.set(turn, { at, weight });
    }
    return [...best].map(([turn, { at }]) => ({
      segment: this.#segments[this.#places[at] ?? 0] as TurnSegment,
      index: this.#indexes[at] ?? 0,
      words: this.#held[at] ?? 0,
      score: scores[turn] ?? 0,
      is_strong: isStrong(turn),
    }));
  }
}
