/**
 * Counts each response of many sessions once, because resumed, forked and imported sessions hold
 * copies. A response belongs to the first session whose record of it has the most tokens. So the
 * sessions add up to the total.
 */
import { type PackedUsage, ROW, ROW_FIELDS, tokensOf } from "./packed_usage.ts";

interface Added {
  usage: PackedUsage;
  /** Bits of the responses that another session has, or has better; empty while there are none. */
  elsewhere: Uint8Array;
}

/** The fields of a slot: a key, a session, the place of the response in it. */
const SLOT = { KEY_LOW: 0, KEY_HIGH: 1, SESSION: 2, PLACE: 3 } as const;
const SLOT_FIELDS = 4;
const NONE = new Uint8Array(0);

/** Counts the responses of sessions, in the order in which they are given. */
export class CountedUsage {
  readonly #sessions: Added[] = [];
  /** Open addressing by the hash of a response's key; a slot without a key is free. */
  #table = new Uint32Array(SLOT_FIELDS << 12);
  #used = 0;

  /** Takes the responses of one session; returns its number, from 0. */
  add(usage: PackedUsage): number {
    const session = this.#sessions.push({ usage, elsewhere: NONE }) - 1;
    const { rows } = usage;
    for (let at = 0, place = 0; at < rows.length; at += ROW_FIELDS, place++) {
      if (rows[at + ROW.KEY_HIGH] !== 0) this.#take(rows, at, session, place);
    }
    return session;
  }

  /** Returns the responses of a session, counted there or not. */
  usage(session: number): PackedUsage {
    return this.#session(session).usage;
  }

  /** True where a response of a session is counted there. */
  isCounted(session: number, place: number): boolean {
    return this.#session(session).elsewhere[place] !== 1;
  }

  #session(session: number): Added {
    const found = this.#sessions[session];
    if (found === undefined) throw new RangeError(`Cannot find session number ${session}`);
    return found;
  }

  #take(rows: Uint32Array, at: number, session: number, place: number): void {
    if (2 * SLOT_FIELDS * (this.#used + 1) > this.#table.length) this.#grow();
    const low = rows[at + ROW.KEY_LOW] as number;
    const high = rows[at + ROW.KEY_HIGH] as number;
    const slot = slotOf(this.#table, low, high);
    const table = this.#table;
    if (table[slot + SLOT.KEY_HIGH] === 0) {
      fillSlot(table, slot, { low, high, session, place });
      this.#used++;
      return;
    }
    const other = table[slot + SLOT.SESSION] as number;
    const other_place = table[slot + SLOT.PLACE] as number;
    if (tokensOf(rows, place) > tokensOf(this.usage(other).rows, other_place)) {
      this.#leave(other, other_place);
      fillSlot(table, slot, { low, high, session, place });
    } else this.#leave(session, place);
  }

  #leave(session: number, place: number): void {
    const added = this.#session(session);
    if (added.elsewhere.length === 0) {
      added.elsewhere = new Uint8Array(added.usage.rows.length / ROW_FIELDS);
    }
    added.elsewhere[place] = 1;
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#table.length);
    for (let slot = 0; slot < this.#table.length; slot += SLOT_FIELDS) {
      const low = this.#table[slot + SLOT.KEY_LOW] as number;
      const high = this.#table[slot + SLOT.KEY_HIGH] as number;
      if (high === 0) continue;
      const session = this.#table[slot + SLOT.SESSION] as number;
      const place = this.#table[slot + SLOT.PLACE] as number;
      fillSlot(larger, slotOf(larger, low, high), { low, high, session, place });
    }
    this.#table = larger;
  }
}

/** Fills a slot value by value: an array for each response would be garbage at once. */
function fillSlot(
  table: Uint32Array,
  slot: number,
  { low, high, session, place }: Record<"low" | "high" | "session" | "place", number>,
): void {
  table[slot + SLOT.KEY_LOW] = low;
  table[slot + SLOT.KEY_HIGH] = high;
  table[slot + SLOT.SESSION] = session;
  table[slot + SLOT.PLACE] = place;
}

/** Returns the slot of a key, or the free slot for it. */
function slotOf(table: Uint32Array, low: number, high: number): number {
  const mask = table.length / SLOT_FIELDS - 1;
  let index = low & mask;
  for (;;) {
    const slot = SLOT_FIELDS * index;
    const found = table[slot + SLOT.KEY_HIGH];
    if (found === 0 || (found === high && table[slot + SLOT.KEY_LOW] === low)) return slot;
    index = (index + 1) & mask;
  }
}
