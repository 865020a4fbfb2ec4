/**
 * Stores places at which a later read of a session can begin, collected by a read of the whole
 * session. Other processes use these places, even if the session has grown.
 */
import { crc32 } from "node:zlib";
import { openToRead } from "../../core/log/byte_source.ts";
import type { Report } from "../../core/log/diagnostic.ts";
import { readAt } from "../../core/log/read_whole.ts";
import type { AgentReadOptions, AgentSession } from "../../agents/contract/agent.ts";
import type { ReadPlace } from "../../agents/contract/session_reading.ts";
import type { Cut } from "./fold_items.ts";
import type { CatalogueOptions } from "./catalogue_options.ts";
import { openFacts } from "./facts_database.ts";
import { findFact } from "./read_facts.ts";
import { isFresh, type ReadFiles } from "./read_part.ts";
import { lookAtSession } from "./session_state.ts";

/** Maximum number of places stored for a session. A later read can begin at each. */
const MOST_PLACES = 64;
/** Maximum characters of a place's JSON. The place's state may grow with the session. */
const MOST_CHARACTERS = 1024;
/** Initial number of bytes between two places. It is doubled when there are too many places. */
const FIRST_APART = 1024 * 1024;
/** Number of bytes before each place that the checksums cover. */
const CHECKED_BYTES = 4096;

export interface KeptPlace {
  place: ReadPlace;
  /**
   * The next point at which transcript items can be built, and the number of the first item after
   * the point. Absent if no items were counted.
   */
  item?: Omit<Cut, "place"> & { number: number };
}

/** A place. `check` covers the file's first 4 KB, and the 4 KB before this and each prior place. */
export interface CheckedPlace extends KeptPlace {
  check: number;
}

/**
 * The files that were read, and the places in them at which a later read can begin. `places` is
 * absent if none were collected.
 */
export interface PassedFiles extends ReadFiles {
  places?: readonly CheckedPlace[];
}

interface PlaceFacts extends ReadFiles {
  places: readonly CheckedPlace[];
}

function offsetOf(passed: KeptPlace | undefined): number {
  return passed?.place.offset ?? 0;
}

/** Collects evenly spaced places during a read of a whole session. */
export class PassedPlaces {
  #places: KeptPlace[] = [];
  #last: KeptPlace | undefined;
  #apart = FIRST_APART;
  #is_damaged = false;

  /** Returns read options that pass each place to `take`. After damage, no place is stored. */
  watching<Options extends AgentReadOptions>(options: Options): Options {
    const report: Report = (diagnostic) => {
      this.#is_damaged = true;
      options.report?.(diagnostic);
    };
    return { ...options, report, onPlace: (place) => this.take({ place }) };
  }

  /** Adds a place. Returns false if its state is too long. Later states are even longer. */
  take(passed: KeptPlace): boolean {
    if (JSON.stringify(passed).length > MOST_CHARACTERS) return false;
    this.#last = passed;
    if (offsetOf(passed) - offsetOf(this.#places.at(-1)) < this.#apart) return true;
    this.#places.push(passed);
    if (this.#places.length < MOST_PLACES) return true;
    this.#apart *= 2;
    this.#places = this.#places.filter((_, index) => index % 2 === 1);
    return true;
  }

  /** Returns the places to store after the read, with checksums. Empty if the file is damaged. */
  toKeep(session: AgentSession): readonly CheckedPlace[] {
    const last = this.#last;
    if (this.#is_damaged || last === undefined || this.#places.length === 0) return [];
    const places = this.#places.at(-1) === last ? this.#places : [...this.#places, last];
    const checks = checksBefore(session.path, places);
    return places.flatMap((place, index) => {
      const check = checks[index];
      return check === undefined ? [] : [{ ...place, check }];
    });
  }
}

function placesOf(kept: CatalogueOptions, session: AgentSession): PlaceFacts | undefined {
  if (kept.folder === undefined) return undefined;
  using facts = openFacts(kept);
  return findFact<PlaceFacts>(facts, "place", session);
}

/** True if the stored places are of the session's current state, even if there are none. */
export function isPlaced(kept: CatalogueOptions, session: AgentSession): boolean {
  const found = placesOf(kept, session);
  return found !== undefined && isFresh(session, found);
}

/** Returns the places of a session that are still valid, in their order. */
export function keptPlaces(kept: CatalogueOptions, session: AgentSession): readonly KeptPlace[] {
  const read = placesOf(kept, session);
  if (read === undefined || isFresh(session, read)) return read?.places ?? [];
  const { files, state, places } = read;
  const now = lookAtSession(session, files);
  if (now.ino !== state.ino || now.size <= state.size) return [];
  const checks = checksBefore(session.path, places);
  const changed = places.findIndex(({ check }, index) => checks[index] !== check);
  const standing = changed < 0 ? places : places.slice(0, changed);
  // The bytes between the last place and its cut were not checked.
  return standing.map((one, index) => index === standing.length - 1 ? { place: one.place } : one);
}

/** Returns a running checksum for each place: first 4 KB, then 4 KB before each place up to it. */
function checksBefore(path: string, places: readonly KeptPlace[]): number[] {
  const bytes = new Uint8Array(CHECKED_BYTES);
  try {
    using file = openToRead(path);
    let check = crc32(readAt(file, 0, bytes));
    return places.map((place) => {
      const offset = offsetOf(place);
      check = crc32(readAt(file, Math.max(0, offset - CHECKED_BYTES), bytes), check);
      return check;
    });
  } catch {
    // The file is missing or cannot be read: reading the session reports that.
    return [];
  }
}
