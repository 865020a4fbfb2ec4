/** Builds the list rows of a few sessions that were located before. */
import type { SessionError } from "../event/session_error.ts";
import type { Summary } from "../projection/summary_row.ts";
import { withMarks } from "../session/marks.ts";
import type { AgentSession } from "../source/agent.ts";
import { Catalogue } from "./catalogue/catalogue.ts";
import type { CatalogueOptions } from "./catalogue/catalogue_options.ts";
import { lookAtSession } from "./catalogue/session_state.ts";
import { type LibraryPlace, marksIn } from "./library_place.ts";
import { summarized } from "./listing.ts";
import { loadLocator } from "./locators.ts";
import { LiveSessions } from "./running/live_sessions.ts";

/** Returns the rows of some sessions, in their order; those that cannot be read are missing. */
export async function rowsOf(
  place: LibraryPlace,
  kept: CatalogueOptions,
  sessions: readonly AgentSession[],
): Promise<Summary[]> {
  const marks = marksIn(place.root, ignore);
  const live = new LiveSessions(place);
  const catalogue = new Catalogue(kept);
  try {
    const rows: Summary[] = [];
    for (const session of sessions) {
      const summary = await summaryOf(catalogue, session);
      if (summary === undefined) continue;
      rows.push(await live.withStatus(session, withMarks(summary, marks)));
    }
    return rows;
  } finally {
    catalogue.close();
  }
}

async function summaryOf(
  catalogue: Catalogue,
  session: AgentSession,
): Promise<Summary | undefined> {
  const files = (await loadLocator(session.agent)).files(session);
  const state = files === undefined ? undefined : lookAtSession(session, files);
  const entry = state === undefined ? undefined : catalogue.find(session, state);
  // A row whose bytes are damaged is read again.
  return entry?.row()?.summary ?? await summarized(session, catalogue, state, ignore);
}

function ignore(_error: SessionError): void {}
