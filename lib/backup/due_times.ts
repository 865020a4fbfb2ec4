/** Things to do, each at a time of its own. */

/** A thing is there once: the earliest time counts. */
export class DueTimes<Thing> {
  readonly #times = new Map<Thing, number>();

  /** Wants a thing to be done at a time; an earlier one stays. */
  add(thing: Thing, time: number): void {
    const known = this.#times.get(thing);
    if (known === undefined || time < known) this.#times.set(thing, time);
  }

  /** Wants a thing to be done at a time, and not before. */
  postpone(thing: Thing, time: number): void {
    this.#times.set(thing, time);
  }

  /** Takes things whose time has come: so many at most. */
  take(now: number, most = Infinity): Thing[] {
    const due: Thing[] = [];
    for (const [thing, time] of this.#times) {
      if (due.length >= most) break;
      if (time <= now) due.push(thing);
    }
    for (const thing of due) this.#times.delete(thing);
    return due;
  }

  /** The time of the next; Infinity where there is none. */
  get next(): number {
    let next = Infinity;
    for (const time of this.#times.values()) if (time < next) next = time;
    return next;
  }

  /** True where nothing is to be done. */
  get empty(): boolean {
    return this.#times.size === 0;
  }
}
