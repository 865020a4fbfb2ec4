/** A session's row in the catalogue, as JSON. */
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import type { ReadFiles, ReadPart } from "./read_part.ts";

export interface CatalogueRow {
  session: AgentSession;
  /** The summary from the file's ends or its whole content. Null if the file has no session. */
  summary: Summary | null;
  /** The facts that reading the whole session gave. The files may have changed since. */
  read?: ReadPart;
  /** The other sessions' files that the summary was also read from, such as a fork's parents. */
  more?: ReadFiles;
}

export function parseRow(json: string): CatalogueRow | undefined {
  const value = parsedJson(json);
  const fits = isObject(value) && isObject(value.session) &&
    (value.summary === null || isObject(value.summary));
  return fits ? sharingTexts(value as unknown as CatalogueRow) : undefined;
}

/** Holds a row's repeated id, path and title once, because there may be 100,000 rows. */
function sharingTexts(row: CatalogueRow): CatalogueRow {
  const { session, summary } = row;
  if (summary === null) return row;
  if (summary.path === session.path) summary.path = session.path;
  if (summary.session_id === session.id) summary.session_id = session.id;
  if (summary.first_user_message === summary.title) summary.first_user_message = summary.title;
  if (summary.last_user_message === summary.title) summary.last_user_message = summary.title;
  return row;
}
