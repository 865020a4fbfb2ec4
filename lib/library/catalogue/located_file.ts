/**
 * Stores beside the catalogue what locating an agent's sessions read inside of files. A file is
 * opened again only if it changed. Like the catalogue it holds no truth: a damaged file counts as
 * missing.
 */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { AgentName } from "../../event/agent_name.ts";
import { openOwnFile } from "../../log/own_file.ts";
import { readWhole } from "../../log/read_whole.ts";
import { writeWhole } from "../../log/write_whole.ts";
import type { LocatedFacts } from "../../source/located_facts.ts";
import { type CatalogueOptions, programOf, SETTLED_MS } from "./catalogue_options.ts";
import { lockCatalogue, replaceCacheFile } from "./replace_file.ts";
import { digest, lookAtSession, type SeenState } from "./session_state.ts";

/** A file of so many facts takes as long to write as one file to open. */
const FACTS_WORTH = 256;

/** Returns the absolute path of an agent's file in a cache folder. */
export function locatedPath(folder: string, agent: AgentName): string {
  return join(folder, `catalogue.located-${agent}`);
}

/** The facts in one agent's files, for one search for its sessions. */
export class LocatedFile implements LocatedFacts {
  readonly #folder: string;
  readonly #agent: AgentName;
  readonly #program: number;
  readonly #now: () => number;
  readonly #seen: Map<string, SeenState>;
  readonly #asked = new Map<number, unknown>();
  #known: Map<number, unknown> | undefined;
  #added = 0;

  /**
   * Opens the facts of an agent; the file is read when the first one is asked for.
   *
   * @param seen Gets the state of the files that were looked at.
   */
  constructor(
    { version = "", now = Date.now, folder }: CatalogueOptions & { folder: string },
    agent: AgentName,
    seen: Map<string, SeenState>,
  ) {
    this.#folder = folder;
    this.#agent = agent;
    this.#program = programOf(version);
    this.#now = now;
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
    const known = this.#known ??= readFacts(this.#path, this.#program);
    if (known.has(key)) {
      const fact = known.get(key) as Fact;
      this.#asked.set(key, fact);
      return fact;
    }
    // Before it is read: a change of the same moment would leave no trace.
    const is_settled = size >= 0 && this.#now() - state.changed >= SETTLED_MS;
    return is_settled ? this.#readAnew(key, read) : read();
  }

  async #readAnew<Fact>(key: number, read: () => Fact | Promise<Fact>): Promise<Fact> {
    const fact = await read();
    this.#asked.set(key, fact);
    this.#added++;
    return fact;
  }

  get #path(): string {
    return locatedPath(this.#folder, this.#agent);
  }

  /**
   * Writes what was asked for, if that is worth it: call it after all sessions were located. A folder
   * that cannot be written is left alone.
   */
  save(): void {
    const asked = this.#asked;
    const gone = (this.#known?.size ?? 0) + this.#added - asked.size;
    if ((this.#added + gone) * FACTS_WORTH <= asked.size) return;
    try {
      using _lock = lockCatalogue(this.#folder);
      const facts = new TextEncoder().encode(JSON.stringify([...asked].flat(1)));
      replaceCacheFile(this.#folder, this.#path, (file) => {
        writeWhole(file, headOf(this.#program, facts));
        writeWhole(file, facts);
      });
    } catch {
      // An unsafe folder, a disk that is full or cannot be written, another writer: it is read again.
    }
  }
}

const HEAD_WORDS = 4;
const MAGIC = [0x6c_63_70_72, 1];

function headOf(program: number, facts: Uint8Array): Uint8Array {
  return new Uint8Array(Uint32Array.from([...MAGIC, program, crc32(facts)]).buffer);
}

/** Reads the facts of a file by the digest of path and state; none if the file is unusable. */
function readFacts(path: string, program: number): Map<number, unknown> {
  const known = new Map<number, unknown>();
  try {
    using file = openOwnFile(path, { read: true });
    const bytes = readWhole(file, new Uint8Array(file.statSync().size));
    const facts = bytes.subarray(HEAD_WORDS * 4);
    if (!headOf(program, facts).every((byte, at) => bytes[at] === byte)) return known;
    const values = JSON.parse(new TextDecoder().decode(facts)) as unknown[];
    for (let at = 0; at < values.length; at += 2) known.set(values[at] as number, values[at + 1]);
  } catch {
    // Missing, not readable, or no plain file.
  }
  return known;
}
