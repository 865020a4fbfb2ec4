/**
 * Joins messages to turns: a prompt and its answers, each thread by itself. Indexed and scanned
 * messages give the same turns. Pure.
 */
import type { AgentSession } from "../../../agents/contract/agent.ts";
import type { SearchRole } from "../searchable_text.ts";
import type { SearchedSession } from "../search_task.ts";
import { scoreTurns, type TurnScores, weightOf } from "./score.ts";

export type SaidRole = Extract<SearchRole, "user" | "assistant">;

export function isSaid(role: SearchRole): role is SaidRole {
  return role === "user" || role === "assistant";
}

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

export interface TurnMessage {
  /** The question's words in the message, one bit per word. */
  words: number;
  length: number;
  is_prompt: boolean;
  /** True if the message is the first of a thread that is not the main thread. */
  begins_thread: boolean;
}

export interface TurnSegment {
  searched: SearchedSession;
  /** Returns undefined if the search index changed. */
  placeOf(index: number): MessagePlace | undefined;
  is_indexed: boolean;
}

/** The turn of a session with the highest score, and the message to quote from it. */
export interface BestTurn {
  segment: TurnSegment;
  /** Index of the message in `segment`. */
  index: number;
  /** The question's words in the message, one bit per word. */
  words: number;
  score: number;
  is_strong: boolean;
}

export class TurnTable {
  readonly #segments: TurnSegment[] = [];
  /**
   * Arrays with an entry per turn. `#words` and `#prompts` have the question's words in the whole
   * turn and in its prompt, one bit per word. `#owners` has the session of each turn. `#mains` is
   * true for turns of the main thread.
   */
  readonly #words: number[] = [];
  readonly #prompts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #owners: AgentSession[] = [];
  readonly #mains: boolean[] = [];
  /**
   * Parallel arrays with an entry for each message that has a word of the question. `#turns`: the
   * turn's index. `#held`: the words, one bit per word. `#places`: the segment's index in
   * `#segments`. `#indexes`: the message's index in the segment.
   */
  readonly #turns: number[] = [];
  readonly #held: number[] = [];
  readonly #places: number[] = [];
  readonly #indexes: number[] = [];
  /** Index of the turn that the next answer belongs to; −1 if there is none. */
  #turn = -1;
  #is_main = true;
  readonly #last = new Map<AgentSession, number>();

  /** Begins a segment, which continues the latest turn of the session's main thread. */
  begin(segment: TurnSegment): void {
    this.#segments.push(segment);
    this.#turn = this.#last.get(segment.searched.session) ?? -1;
    this.#is_main = true;
  }

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

  /** Returns one turn per session, unordered. @param count Number of the question's words. */
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

  /** Returns for each turn the message whose words weigh the most, or the first of several. */
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
