/** Finds the store's imported sessions and their origins from the first line of each log. */
import { decodeEvent } from "../../event/decode.ts";
import { isObject } from "../../event/guard.ts";
import type { ImportInfo } from "../../event/payload.ts";
import { SessionError } from "../../event/session_error.ts";
import { openToRead } from "../../log/byte_source.ts";
import { toSessionError } from "../../log/io_error.ts";
import { readWhole } from "../../log/read_whole.ts";
import { SeekMode } from "../../platform/file_system.ts";
import { type SessionFolder, sessionFolders } from "../session_folder.ts";

/** A session of the store that was imported. */
export interface FoundImport extends SessionFolder {
  /** The original session, from the head of the imported session. */
  imported_from: ImportInfo;
}

/** Imported sessions by {@linkcode importKey}. Imports with the same key are oldest first. */
export type FoundImports = Map<string, FoundImport[]>;

const HEAD_BYTES = 4 * 1024;
const LONGEST_HEADER = 1024 * 1024;
const LF = 0x0a;
const decoder = new TextDecoder();

export function importKey({ agent, id }: Pick<ImportInfo, "agent" | "id">): string {
  return `${agent}:${id}`;
}

export function findImports(root: string): FoundImports {
  const imports = sessionFolders(root).flatMap((folder): FoundImport[] => {
    const imported_from = importOrigin(folder.path);
    return imported_from === undefined ? [] : [{ ...folder, imported_from }];
  });
  return Map.groupBy(imports.sort(byImport), ({ imported_from }) => importKey(imported_from));
}

function byImport(one: FoundImport, other: FoundImport): number {
  const [a, b] = [one, other].map(({ imported_from }) => imported_from.imported_at ?? "");
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

export function addImport(found: FoundImports, session: FoundImport): void {
  const key = importKey(session.imported_from);
  found.set(key, [...found.get(key) ?? [], session]);
}

/** Reads an imported session's origin. Undefined if the log is unreadable or was not imported. */
export function importOrigin(path: string): ImportInfo | undefined {
  try {
    const line = firstLine(path);
    // Most sessions were not imported: their heads need not be parsed.
    if (!line.includes('"imported_from"')) return undefined;
    const event = decodeEvent(JSON.parse(line));
    const origin = event?.form === "known" && event.kind === "session_started"
      ? event.payload.imported_from
      : undefined;
    return isObject(origin) ? origin : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof SessionError) return undefined;
    throw error;
  }
}

function firstLine(path: string): string {
  try {
    using file = openToRead(path);
    let bytes = readWhole(file, new Uint8Array(HEAD_BYTES));
    if (!bytes.includes(LF) && bytes.length === HEAD_BYTES) {
      file.seekSync(0, SeekMode.Start);
      bytes = readWhole(file, new Uint8Array(LONGEST_HEADER));
    }
    const end = bytes.indexOf(LF);
    return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}
