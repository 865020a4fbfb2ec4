/**
 * Sessions that another machine began, and that were put where their agent looks here. Each has a
 * folder below `machines/placed` until a push takes it into the ledger.
 */
import { join } from "node:path";
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { RECORDS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { isFileThere, isThere } from "../../../core/file/presence.ts";
import { readDirSync } from "../../../core/platform/files.ts";
import { machinesFolder, type OwnLedger, type OwnStream } from "./own_streams.ts";

/** Name of the file that describes a placed session. */
export const PLACED_FILE = "placed.json";

export function placedFolder(root: string): string {
  return join(machinesFolder(root), "placed");
}

/**
 * Takes placed sessions into the ledger.
 *
 * @returns Paths of files that are no longer needed once the ledger is written.
 */
export function adoptPlaced(root: string, ledger: OwnLedger): string[] {
  const folder = placedFolder(root);
  if (!isThere(folder)) return [];
  const found: string[] = [];
  for (const { name } of readDirSync(folder)) {
    const path = join(folder, name, PLACED_FILE);
    const value = parsedJson(shortTextIn(path, RECORDS_BYTES, { follow: false }));
    if (!isPlaced(value)) continue;
    const [main] = Object.values(value.stream.files);
    // A kill came between: the session was not placed.
    if (main !== undefined && isFileThere(main.path)) ledger.streams[value.ref] = value.stream;
    found.push(path);
  }
  return found;
}

/** A session that was placed. */
export interface PlacedStream {
  ref: string;
  stream: OwnStream;
}

function isPlaced(value: unknown): value is PlacedStream {
  return isObject(value) && typeof value.ref === "string" && isObject(value.stream);
}
