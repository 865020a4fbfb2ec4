/**
 * The responses of many sessions, each counted once: a session that was resumed, forked or imported
 * may hold copies of another one's. A response belongs to the first session that has the record with
 * the most tokens, so that what sessions used adds up to the total.
 */
import { type PackedUsage, ROW, ROW_FIELDS, tokensOf } from "./packed_usage.ts";

/** Counts the responses of sessions, in the order in which they are given. */
export class CountedUsage {
  readonly #sessions: { usage: PackedUsage; first: number }[] = [];
  /** Open addressing: 1 + the number of a response, by the hash of its key. */
  #table = new Uint32Array(1 << 12);
  #keyed = 0;
  #count = 0;
  /** Responses that another session has, or has better. */
  readonly #elsewhere = new Set<number>();

  /** Takes the responses of one session; returns its number, from 0. */
  add(usage: PackedUsage): number {
    const first = this.#count;
    const session = this.#sessions.push({ usage, first }) - 1;
    const count = usage.rows.length / ROW_FIELDS;
    this.#count += count;
    for (let index = 0; index < count; index++) this.#place(usage.rows, index, first + index);
    return session;
  }

  /** The responses of a session, counted there or not. */
  usage(session: number): PackedUsage {
    return this.#session(session).usage;
  }

  /** The places, among a session's own responses, of those that are counted there. */
  *counted(session: number): Generator<number> {
    const { usage, first } = this.#session(session);
    const count = usage.rows.length / ROW_FIELDS;
    for (let index = 0; index < count; index++) {
      if (!this.#elsewhere.has(first + index)) yield index;
    }
  }

  #session(session: number): { usage: PackedUsage; first: number } {
    const found = this.#sessions[session];
    if (found === undefined) throw new RangeError(`Cannot find session number ${session}`);
    return found;
  }

  #place(rows: Uint32Array, index: number, number: number): void {
    const low = rows[ROW_FIELDS * index + ROW.KEY_LOW] as number;
    const high = rows[ROW_FIELDS * index + ROW.KEY_HIGH] as number;
    if (low === 0 && high === 0) return;
    if (2 * ++this.#keyed > this.#table.length) this.#grow();
    const slot = this.#slotOf(low, high);
    const known = (this.#table[slot] as number) - 1;
    if (known < 0) {
      this.#table[slot] = number + 1;
      return;
    }
    const [other, place] = this.#find(known);
    const better = tokensOf(rows, index) > tokensOf(other, place);
    this.#elsewhere.add(better ? known : number);
    if (better) this.#table[slot] = number + 1;
  }

  /** The slot of a key: where it is, or where it goes. */
  #slotOf(low: number, high: number): number {
    const mask = this.#table.length - 1;
    let slot = low & mask;
    for (;;) {
      const known = (this.#table[slot] as number) - 1;
      if (known < 0) return slot;
      const [rows, place] = this.#find(known);
      const at = ROW_FIELDS * place;
      if (rows[at + ROW.KEY_LOW] === low && rows[at + ROW.KEY_HIGH] === high) return slot;
      slot = (slot + 1) & mask;
    }
  }

  /** The rows that hold a response, and its place in them. */
  #find(number: number): [Uint32Array, number] {
    let [from, to] = [0, this.#sessions.length - 1];
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if (this.#session(middle).first <= number) from = middle;
      else to = middle - 1;
    }
    const { usage, first } = this.#session(from);
    return [usage.rows, number - first];
  }

  #grow(): void {
    const numbers = this.#table.filter((number) => number !== 0);
    this.#table = new Uint32Array(2 * this.#table.length);
    for (const number of numbers) {
      const [rows, place] = this.#find(number - 1);
      const at = ROW_FIELDS * place;
      const slot = this.#slotOf(
        rows[at + ROW.KEY_LOW] as number,
        rows[at + ROW.KEY_HIGH] as number,
      );
      this.#table[slot] = number;
    }
  }
}
