/**
 * Lists sessions as the catalogue remembers them. No agent is asked and no folder is searched, so
 * it answers at once. A session may have changed or be gone since.
 */
import { withMarks } from "../session/marks.ts";
import { Catalogue } from "./catalogue/catalogue.ts";
import type { CatalogueOptions } from "./catalogue/catalogue_options.ts";
import { chosenAgents, type LibraryPlace, marksIn } from "./library_place.ts";
import {
  type LibraryEntry,
  type LibraryListOptions,
  wantedCandidates,
  withoutCopies,
} from "./list_entries.ts";
import { listedOf, type ListedSession } from "./listing.ts";
import { LiveSessions } from "./running/live_sessions.ts";
import { withCounts } from "./shown_sessions.ts";

/** The sessions to remember. */
export type KnownOptions = Pick<LibraryListOptions, "agents" | "directories" | "limit">;

/** Returns remembered sessions, the newest update first; none without a catalogue. */
export async function knownEntries(
  place: LibraryPlace,
  kept: CatalogueOptions,
  { agents, ...options }: KnownOptions,
): Promise<LibraryEntry[]> {
  const catalogue = new Catalogue(kept);
  try {
    const entries = [...catalogue.entries(chosenAgents(place, agents))];
    const { wanted } = wantedCandidates(entries, options);
    const marks = marksIn(place.root, () => {});
    const listed = wanted.slice(0, options.limit ?? wanted.length)
      .map(listedOf)
      .filter((one): one is ListedSession => one !== undefined)
      .map((one) => ({ ...one, row: withMarks(one.row, marks) }))
      .filter(({ row }) => !row.archived);
    const live = new LiveSessions(place);
    const entries_shown = (await withoutCopies(listed)).map(withCounts);
    return await Promise.all(
      entries_shown.map(async ({ session, row }) => ({
        session,
        row: await live.withStatus(session, row),
      })),
    );
  } finally {
    catalogue.close();
  }
}
