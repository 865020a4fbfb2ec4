/**
 * Asks what sessions there are with the catalogue, or from scratch where that is damaged.
 */
import type { AgentName } from "../event/agent_name.ts";
import type { SessionError } from "../event/session_error.ts";
import { Catalogue } from "./catalogue/catalogue.ts";
import type { CatalogueOptions } from "./catalogue/catalogue_options.ts";
import { chosenAgents, type LibraryPlace, marksIn } from "./library_place.ts";
import type { EntryOptions, LibraryListOptions } from "./list_entries.ts";
import type { ListingSource } from "./listing.ts";
import { tracedAgents } from "./locators.ts";
import { LiveSessions } from "./running/live_sessions.ts";

/** Gives an answer; undefined where a row of the catalogue is damaged. */
type Ask<Result> = (
  source: ListingSource,
  agents: readonly AgentName[],
  options: EntryOptions,
) => Promise<Result | undefined>;

/** Gives what is asked for, and keeps what was read for it. */
export async function askCatalogue<Result>(
  place: LibraryPlace,
  kept: CatalogueOptions,
  options: LibraryListOptions & EntryOptions,
  ask: Ask<Result>,
): Promise<Result | undefined> {
  const { agents, onError = ignore, ...wanted } = options;
  const names = tracedAgents(place.environment, chosenAgents(place, agents));
  const marks = marksIn(place.root, onError);
  const catalogue = new Catalogue(kept);
  try {
    const source = { place, kept, marks, onError, live: new LiveSessions(place) };
    const answer = await ask({ ...source, catalogue }, names, wanted);
    catalogue.save();
    if (answer !== undefined) return answer;
    // A row of it is damaged: without it, and from scratch, every answer is the same.
    const fresh = new Catalogue({ ...kept, fresh: true });
    const again = await ask({ ...source, catalogue: fresh }, names, wanted);
    fresh.save();
    return again;
  } finally {
    catalogue.close();
  }
}

function ignore(_error: SessionError): void {}
