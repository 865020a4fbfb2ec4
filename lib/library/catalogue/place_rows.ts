/** The rows of places in sessions, at which reads can begin. */
import type { ReadPlace } from "../../source/session_reading.ts";
import type { Cut } from "../window/fold_items.ts";
import { sumOf } from "../cache/cache_database.ts";
import type { FactsDatabase } from "./facts_database.ts";

/** A place where a read can go on. */
export interface KeptPlace {
  place: ReadPlace;
  /** The cut behind it, and the number of the item there, where the read counted items. */
  item?: Omit<Cut, "place"> & { number: number };
}

/** A place, and a checksum of bytes before it. */
export interface CheckedPlace extends KeptPlace {
  check: number;
}

const PLACES = "SELECT number, byte, json, bytes_sum, sum FROM item WHERE key = ? ORDER BY byte";
const PUT_PLACE = "INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?, ?, ?)";

/** Reads the places of a session; none where one was not written so. */
export function readPlaces(facts: FactsDatabase, key: number): CheckedPlace[] {
  return facts.prepare(PLACES).all(key).flatMap(({ number, byte, json, bytes_sum, sum }) => {
    if (sum !== sumOf([key, number, byte, json, bytes_sum])) return [];
    return [{ ...JSON.parse(String(json)) as KeptPlace, check: Number(bytes_sum) }];
  });
}

/** Replaces the places of a session. */
export function writePlaces(
  facts: FactsDatabase,
  key: number,
  places: readonly CheckedPlace[],
): void {
  facts.prepare("DELETE FROM item WHERE key = ?").run(key);
  for (const { check, ...place } of places) {
    const [number, byte] = [place.item?.number ?? null, offsetOf(place)];
    const json = JSON.stringify(place);
    const sum = sumOf([key, number, byte, json, check]);
    facts.prepare(PUT_PLACE).run(key, number, byte, json, check, sum);
  }
}

/** Returns the byte of a place; 0 where it has none. */
export function offsetOf(passed: KeptPlace | undefined): number {
  return passed?.place.offset ?? 0;
}
