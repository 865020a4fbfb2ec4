/** Leaves out rows and sessions whose whole content another session contains. */
import { REPRISE } from "../../core/event/agent_name.ts";
import type { ImportInfo } from "../../core/event/payload.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { sha256 } from "../../core/event/sha256.ts";
import { readShortFile } from "../../core/file/short_file.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { importOrigin } from "../../core/store/import/find_imports.ts";
import { fileState } from "../../core/store/import/source_state.ts";
import { wasContinued } from "../../core/store/import/was_continued.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";

/** Maximum bytes of a file that is compared as a whole. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface Relation {
  /** References of sessions whose whole content another session contains. */
  held: Set<string>;
  /** Pairs of a copy and its original, by reference, if both were continued. */
  apart: [copy: string, original: string][];
}

export interface Placed {
  ref: string;
  path: string;
}

export function relate(
  copies: Iterable<Placed & { imported_from: ImportInfo }>,
  originals: ReadonlyMap<string, Placed>,
): Relation {
  const relation: Relation = { held: new Set(), apart: [] };
  for (const { ref, path, imported_from } of copies) {
    const { agent, id, branch } = imported_from;
    // A session of another root may have the id, and is named by its path.
    const original = originals.get(imported_from.path ?? "") ?? originals.get(`${agent}:${id}`);
    // A copy of another thread is no copy of the session.
    if (original === undefined || branch !== undefined) continue;
    const side = fullerSide({ path, imported_from, original_path: original.path });
    if (side === "original") relation.held.add(ref);
    else if (side === "copy") relation.held.add(original.ref);
    else relation.apart.push([ref, original.ref]);
  }
  return relation;
}

export function copiesAmong(rows: readonly Summary[]): (Placed & { imported_from: ImportInfo })[] {
  return rows.flatMap(({ ref, path, agent, imported_from }) =>
    agent === REPRISE && imported_from !== undefined ? [{ ref, path, imported_from }] : []
  );
}

export function withoutHeldSessions(sessions: readonly AgentSession[]): AgentSession[] {
  const originals = new Map(
    sessions.map((session) => [sessionRef(session), { ref: sessionRef(session), ...session }]),
  );
  const copies = sessions.flatMap(({ agent, id, path }) => {
    const imported_from = agent === REPRISE ? importOrigin(path) : undefined;
    return imported_from === undefined ? [] : [{ ref: id, path, imported_from }];
  });
  const { held } = relate(copies, originals);
  return held.size === 0
    ? [...sessions]
    : sessions.filter((session) => !held.has(sessionRef(session)));
}

interface CopyPair {
  path: string;
  imported_from: ImportInfo;
  original_path: string;
}

type FullerSide = "original" | "copy" | "neither";

/** Returns `neither` if both sessions were continued, or if one cannot be read. */
function fullerSide({ path, imported_from, original_path }: CopyPair): FullerSide {
  try {
    const original = originalSince(imported_from, original_path);
    if (!wasContinued(path)) return original === "changed" ? "neither" : "original";
    return original === "same" ? "copy" : "neither";
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return "neither";
  }
}

/** Compares the original with its state at import. `grown`: only data was added. */
function originalSince(
  { bytes, modified_at, sha256: hash, imported_at = "" }: ImportInfo,
  path: string,
): "same" | "grown" | "changed" {
  const now = fileState(path);
  // A database holds other sessions too: while nothing was written, it is the same.
  if (bytes === undefined) return now.modified_at <= imported_at ? "same" : "grown";
  if (now.bytes === bytes) {
    if (now.modified_at === modified_at || now.modified_at <= imported_at) return "same";
    // Written since, as a kept copy or a restored file is, it may say something else.
    return sha256(readShortFile(path, MOST_BYTES)) === hash ? "same" : "changed";
  }
  return now.bytes > bytes ? "grown" : "changed";
}
