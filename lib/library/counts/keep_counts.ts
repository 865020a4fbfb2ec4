/** Stores counts from reading a whole session, so that lists need not read the session. */
import { Catalogue } from "../catalogue/catalogue.ts";
import type { PassedFiles } from "../catalogue/kept_places.ts";
import type { CatalogueOptions } from "../catalogue/catalogue_options.ts";
import {
  isFresh,
  type ReadFiles,
  type ReadPart,
  type SummaryCounts,
} from "../catalogue/read_part.ts";
import { lookAtSession } from "../catalogue/session_state.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { filesOfSummary } from "../machine/locators.ts";

/**
 * Returns a session's files and their state. Call the function before reading, to notice changes.
 */
export function filesToRead(session: AgentSession): ReadFiles {
  const files = filesOfSummary(session) ?? [session.path];
  return { files, state: stateOf(session, files) };
}

/** Adds counts to the facts of earlier reads. Drops earlier facts if the files have changed. */
export function withReadCounts(
  session: AgentSession,
  known: ReadPart | undefined,
  { files, state }: ReadFiles,
  counts: SummaryCounts,
): ReadPart {
  if (known === undefined || !isFresh(session, known)) return { files, state, counts };
  const all = [...new Set([...files, ...known.files])];
  const now = all.length === files.length ? state : stateOf(session, all);
  return { ...known, files: all, state: now, counts: { ...known.counts, ...counts } };
}

export interface KeptRead {
  session: AgentSession;
  files: PassedFiles;
  counts: SummaryCounts;
}

/**
 * Stores counts of sessions in the catalogue. Skips sessions that the catalogue lacks, or that
 * changed since they were read.
 */
export function keepReads(kept: CatalogueOptions, reads: readonly KeptRead[]): void {
  if (kept.folder === undefined || reads.length === 0) return;
  using catalogue = new Catalogue(kept);
  for (const read of reads) putCounts(catalogue, read);
  catalogue.save();
}

function putCounts(catalogue: Catalogue, { session, files: read, counts }: KeptRead): void {
  const row = catalogue.lastRow(session);
  const seen = lookAtSession(session, filesOfSummary(session));
  // A session that changed since it was listed has another summary by now.
  if (row?.summary == null || !isFresh(session, read) || !catalogue.find(session, seen)) return;
  const part = withReadCounts(session, row.read, read, counts);
  catalogue.putRead(session, seen, row.summary, part, read);
}

function stateOf(session: AgentSession, files: readonly string[]): ReadFiles["state"] {
  const { changed: _, ...state } = lookAtSession(session, files);
  return state;
}
