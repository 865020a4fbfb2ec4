/**
 * Remembers what locating an agent's sessions read inside of files. A file is opened again only if it
 * changed.
 */
import type { AgentName } from "../../core/event/agent_name.ts";
import type { LocatedFacts } from "../../agents/contract/located_facts.ts";
import { type CatalogueOptions, isSettled } from "./catalogue_options.ts";
import { sumOf } from "./cache/cache_database.ts";
import { openFacts } from "./facts_database.ts";
import { digest, lookAtSession, type SeenState } from "./session_state.ts";

/** The cached facts of one agent's files, for one search for the agent's sessions. */
export class LocatedFiles implements LocatedFacts {
  readonly #kept: CatalogueOptions;
  readonly #agent: AgentName;
  readonly #seen: Map<string, SeenState>;
  readonly #asked = new Set<number>();
  readonly #added = new Map<number, string>();
  #known: Map<number, string> | undefined;

  /**
   * Reads the agent's facts when the first fact is asked for.
   *
   * @param seen Gets the state of the files that were looked at.
   */
  constructor(kept: CatalogueOptions, agent: AgentName, seen: Map<string, SeenState>) {
    this.#kept = kept;
    this.#agent = agent;
    this.#seen = seen;
  }

  recall<Fact>(
    files: readonly string[],
    read: () => Fact | Promise<Fact>,
  ): Fact | Promise<Fact> {
    const [path = ""] = files;
    const state = lookAtSession({ agent: this.#agent, id: "", path }, files, this.#seen);
    const { size, mtime, ctime, ino, others } = state;
    const key = digest(`${path}\0${size} ${mtime} ${ctime} ${ino} ${others}`);
    const known = this.#find(key);
    if (known !== undefined) return JSON.parse(known) as Fact;
    // Before it is read: a change of the same moment would leave no trace.
    return isSettled(state, this.#kept) ? this.#readAnew(key, read) : read();
  }

  keep(name: string, value: unknown): void {
    const key = digest(`\0${name}`);
    const text = JSON.stringify(value);
    if (this.#find(key) !== text) this.#added.set(key, text);
  }

  kept(name: string): unknown {
    const text = this.#find(digest(`\0${name}`));
    return text === undefined ? undefined : JSON.parse(text);
  }

  #find(key: number): string | undefined {
    this.#asked.add(key);
    return (this.#known ??= this.#readKnown()).get(key);
  }

  async #readAnew<Fact>(key: number, read: () => Fact | Promise<Fact>): Promise<Fact> {
    const fact = await read();
    // What is not known is undefined, which JSON has not.
    this.#added.set(key, JSON.stringify(fact) ?? "null");
    return fact;
  }

  #readKnown(): Map<number, string> {
    const known = new Map<number, string>();
    try {
      using facts = openFacts(this.#kept);
      const rows = facts.prepare("SELECT key, json, sum FROM located WHERE agent = ?");
      for (const { key, json, sum } of rows.iterate(this.#agent)) {
        const text = String(json);
        if (sum === sumOf([key, text])) known.set(Number(key), text);
      }
    } catch {
      // Damaged: the files are read again.
    }
    return known;
  }

  /** Stores new facts and deletes facts not looked up. Call it after locating all sessions. */
  save(): void {
    const known = this.#known;
    if (known === undefined) return;
    const gone = [...known.keys()].filter((key) => !this.#asked.has(key));
    if (this.#added.size + gone.length === 0) return;
    using facts = openFacts(this.#kept);
    facts.write(() => {
      const drop = facts.prepare("DELETE FROM located WHERE agent = ? AND key = ?");
      for (const key of gone) drop.run(this.#agent, key);
      const put = facts.prepare("INSERT OR REPLACE INTO located VALUES (?, ?, ?, ?)");
      for (const [key, json] of this.#added) put.run(this.#agent, key, json, sumOf([key, json]));
    });
  }
}
