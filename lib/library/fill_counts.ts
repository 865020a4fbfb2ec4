/** Fills in the counts and costs that a list does not know, for as long as its reader may wait. */
import { costSumOf } from "../projection/cost_sum.ts";
import { Catalogue } from "./catalogue/catalogue.ts";
import type { CatalogueOptions } from "./catalogue/catalogue_options.ts";
import { lookAtSession } from "./catalogue/session_state.ts";
import { type LibraryPlace, marksIn } from "./library_place.ts";
import type { LibraryEntry } from "./list_entries.ts";
import { LiveSessions } from "./running/live_sessions.ts";
import { counted } from "./shown_sessions.ts";
import { loadPrices } from "./usage/load_prices.ts";
import { utcDay } from "./usage/session_usage.ts";
import { usageOf } from "./usage/usage_of.ts";

/** Bytes of a session that surely take no longer than a millisecond. */
const BYTES_A_MS = 20_000;

/** Returns the rows, with what could be read of those that lack it in so many milliseconds. */
export async function fillCounts(
  place: LibraryPlace,
  kept: CatalogueOptions,
  entries: readonly LibraryEntry[],
  milliseconds: number,
): Promise<LibraryEntry[]> {
  // The other half is for their costs.
  const deadline = performance.now() + milliseconds / 2;
  const filled = new Map<LibraryEntry, LibraryEntry>();
  const catalogue = new Catalogue(kept);
  const marks = marksIn(place.root, ignore);
  const source = { place, kept, marks, catalogue, live: new LiveSessions(place), onError: ignore };
  for (const entry of entries) {
    const { session, row } = entry;
    const left = deadline - performance.now();
    if (left <= 0) break;
    if (row.message_count !== undefined) continue;
    // Nothing tells how long a session of a database is: it is no longer than all of that.
    const bytes = row.bytes ?? lookAtSession(session).size;
    if (bytes > left * BYTES_A_MS) continue;
    const { row: whole } = await counted(source, entry);
    filled.set(entry, { ...entry, row: { ...whole, status: row.status } });
  }
  catalogue.save();
  catalogue.close();
  const whole = await fillCosts(kept, [...filled.values()]);
  const costs = new Map([...filled.keys()].map((entry, index) => [entry, whole[index] ?? entry]));
  return entries.map((entry) => costs.get(entry) ?? entry);
}

/** Returns the rows with their costs, estimated where none was recorded. Reads what is not known. */
export async function fillCosts(
  kept: CatalogueOptions,
  entries: readonly LibraryEntry[],
): Promise<LibraryEntry[]> {
  const { estimate } = await loadPrices();
  const used = await usageOf(entries, { dayOf: utcDay, estimate, kept });
  const costs = new Map(used.map(({ ref, rows }) => [ref, costSumOf(rows)]));
  return entries.map(({ session, row }) => ({ session, row: { ...row, ...costs.get(row.ref) } }));
}

function ignore(): void {}
