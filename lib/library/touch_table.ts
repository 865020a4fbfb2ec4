/**
 * Keeps which files sessions changed. A session that was read to its end has all of them. Of another
 * one, names are kept that its files do not hold.
 */
import { type CatalogueOptions, isSettled } from "./catalogue/catalogue_options.ts";
import { type FactsDatabase, openFacts } from "./catalogue/facts_database.ts";
import { type LookedUp, lookUp, putFacts } from "./catalogue/read_facts.ts";
import { lookAtSession } from "./catalogue/session_state.ts";

/** A file that a session changed. */
export interface Touch {
  /** The path as the session names it: absolute, or below its directory. */
  path: string;
  /** The directory of the session, or of its thread. */
  cwd?: string;
  /** Number of changes that succeeded. */
  edits: number;
  /** Milliseconds: the last change; absent where its time is not known. */
  last?: number;
}

/** What is known of the files that a session changed. */
export interface TouchFacts {
  /** All of them; absent for a session that was not read. */
  touches?: readonly Touch[];
  /** Names that its files do not hold. */
  absent?: readonly string[];
}

/** Names that are kept of a session; older ones are looked for again. */
const MOST_NAMES = 100;

/** The table of a cache folder, for one question. Dispose of it: that writes what was found. */
export class TouchTable implements Disposable {
  readonly #kept: CatalogueOptions;
  readonly #facts: FactsDatabase;
  readonly #found: { one: LookedUp<TouchFacts>; facts: TouchFacts }[] = [];

  constructor(kept: CatalogueOptions = {}) {
    this.#kept = kept;
    this.#facts = openFacts(kept);
  }

  /** Looks at sessions, and finds what is known of those that did not change. */
  async lookUp(sessions: Parameters<typeof lookUp>[2]): Promise<LookedUp<TouchFacts>[]> {
    return await lookUp<TouchFacts>(this.#facts, "touch", sessions);
  }

  /** Takes what was found out about a session. */
  put(one: LookedUp<TouchFacts>, facts: TouchFacts): void {
    const { absent } = facts;
    this.#found.push({ one, facts: absent ? { absent: absent.slice(-MOST_NAMES) } : facts });
  }

  [Symbol.dispose](): void {
    const facts = this.#facts;
    const fresh = this.#kept.folder === undefined
      ? []
      : this.#found.filter(({ one: { files } }) =>
        files !== undefined && isSettled(files.state, this.#kept)
      );
    if (fresh.length > 0) {
      facts.write(() => {
        for (const { one: { session, files }, facts: told } of fresh) {
          // Deleted since it was read: its row must not come back.
          if (files === undefined || lookAtSession(session).size < 0) continue;
          putFacts(facts, "touch", session, files, told);
        }
      });
    }
    facts[Symbol.dispose]();
  }
}
