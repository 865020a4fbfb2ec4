/** Builds parts of the index in memory, which a writer stores. */
import { indexedSession } from "../../catalogue/cache/search_database.ts";
import type { KeptRead } from "../../counts/keep_counts.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { foldText } from "../fold.ts";
import { GramPairs } from "./gram_lists.ts";
import {
  entryKey,
  FLAGS,
  type IndexedText,
  packTexts,
  type SourceDetail,
  type SourceFacts,
} from "./index_source.ts";
import { isSaid } from "../wording/turn_table.ts";
import { stateNumber } from "./source_stamp.ts";
import { MESSAGE, WordLists } from "./word_lists.ts";

export interface EndedSource extends SourceDetail {
  session: AgentSession;
  from: number;
  to: number;
  passed_over?: true;
}

/** A source of a part. Each builder counts `id` and `message` from 0. */
export interface BuiltSource extends SourceFacts {
  path: string;
  session: number;
  detail: string;
  packed: Uint8Array;
}

/** A part of the index. `first` and `message` are the numbers of its first group and message. */
export interface BuiltPart {
  first: number;
  groups: number;
  pairs: number;
  blocks: readonly Uint8Array[];
  message: number;
  messages: number;
  /** The blocks of word lists, and last the block of message lengths. */
  words: readonly Uint8Array[];
  /** True if the part begins with a session's first text. False if it begins within a session. */
  is_whole: boolean;
  sources: readonly BuiltSource[];
  /** Summary counts (such as messages) of sessions read whole, for the catalogue to store. */
  counted: readonly KeptRead[];
}

/** Number of characters at which a group of texts ends. Neighbouring texts share many words. */
const GROUP_CHARACTERS = 16_000;
const GROUP_TEXTS = 64;

export class PartBuilder {
  readonly #onPart: (part: BuiltPart) => void;
  readonly #pairs = new GramPairs();
  readonly #words = new WordLists();
  /** Number of the first message in the next part, or `#source_message` in the next source. */
  #message = 0;
  #source_message = 0;
  /** The index of the last message's thread. */
  #thread = 0;
  /** Number of the first text group in the next part, or `#source` in the next source. */
  #first = 0;
  #source = 0;
  #texts: IndexedText[] = [];
  #group: { pieces: string[]; texts: number; size: number } | undefined;
  #sources: BuiltSource[] = [];
  #counted: KeptRead[] = [];
  #whole = true;

  constructor(onPart: (part: BuiltPart) => void) {
    this.#onPart = onPart;
  }

  get #next(): number {
    return this.#first + this.#pairs.groups;
  }

  get #nextMessage(): number {
    return this.#message + this.#words.messages;
  }

  add(text: Omit<IndexedText, "group">, pieces: readonly string[]): void {
    this.#texts.push({ ...text, group: this.#next - this.#source });
    const group = this.#group ??= { pieces: [], texts: 0, size: 0 };
    for (const piece of pieces) group.pieces.push(foldText(piece));
    const { role, thread } = text;
    if (isSaid(role)) {
      const begins_thread = thread === this.#thread ? 0 : MESSAGE.BEGINS_THREAD;
      this.#words.addMessage(pieces, (role === "user" ? MESSAGE.PROMPT : 0) + begins_thread);
      this.#thread = thread;
    }
    group.texts++;
    group.size += text.size;
    if (group.texts >= GROUP_TEXTS || group.size >= GROUP_CHARACTERS) this.#endGroup();
  }

  #endGroup(): void {
    this.#pairs.addGroup(this.#group?.pieces ?? []);
    this.#group = undefined;
    if (this.#pairs.is_full) this.flush();
  }

  /** Ends a source: all texts of one session that were added since the previous source ended. */
  endSource({ session, from, to, passed_over, ...detail }: EndedSource): void {
    // A source without texts has a number, too.
    if (this.#group !== undefined || this.#next === this.#source) this.#endGroup();
    const { stamps, edges, threads, place, behind } = detail;
    const [own = { path: "", size: -1, mtime: 0, ctime: 0, ino: 0 }] = stamps;
    const is_detailed = stamps.length !== 1 || own.path !== session.path ||
      session.printed !== undefined ||
      threads !== undefined || place !== undefined || behind !== undefined;
    this.#sources.push({
      id: this.#source,
      key: entryKey(session),
      state: stateNumber(own),
      size: own.size,
      start: from,
      stop: to,
      groups: this.#next - this.#source,
      texts: this.#texts.length,
      message: this.#source_message,
      messages: this.#nextMessage - this.#source_message,
      flags: (edges === undefined ? 0 : FLAGS.GROWS) | (passed_over ? FLAGS.PASSED_OVER : 0) |
        (is_detailed ? FLAGS.DETAILED : 0),
      path: session.path,
      session: indexedSession(session),
      detail: JSON.stringify(detail),
      packed: packTexts(this.#texts),
    });
    this.#beginSource();
  }

  /** Drops the texts added since the last source ended. Searches ignore texts without a source. */
  dropSource(): void {
    this.#group = undefined;
    this.#beginSource();
  }

  #beginSource(): void {
    this.#texts = [];
    this.#source = this.#next;
    this.#source_message = this.#nextMessage;
    this.#thread = 0;
  }

  count(read: KeptRead): void {
    this.#counted.push(read);
  }

  flush(): void {
    const { count: pairs, groups } = this.#pairs;
    if (groups + this.#sources.length + this.#counted.length === 0) return;
    const [first, sources, counted] = [this.#first, this.#sources, this.#counted];
    const [is_whole, message, messages] = [this.#whole, this.#message, this.#words.messages];
    const [blocks, words] = [this.#pairs.take(), this.#words.take()];
    this.#first += groups;
    this.#message += messages;
    this.#whole = this.#source === this.#first;
    this.#sources = [];
    this.#counted = [];
    const said = { message, messages, words };
    this.#onPart({ first, groups, pairs, blocks, ...said, is_whole, sources, counted });
  }
}
