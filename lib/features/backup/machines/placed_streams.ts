/**
 * Finds placed sessions. A placed session began on another machine, and was written to its agent's
 * folder on this machine. Each has a folder below `machines/placed` until a push adds it to the
 * ledger of sent bytes.
 */
import { join } from "node:path";
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { RECORDS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { isFileThere, isThere } from "../../../core/file/presence.ts";
import { readDirSync } from "../../../core/platform/files.ts";
import { machinesFolder, type OwnLedger, type OwnStream } from "./own_streams.ts";

export const PLACED_FILE = "placed.json";

export function placedFolder(root: string): string {
  return join(machinesFolder(root), "placed");
}

/**
 * Adds the sessions below `machines/placed` to the ledger of sent bytes.
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
    // Otherwise a kill came before the session was placed.
    if (main !== undefined && isFileThere(main.path)) ledger.streams[value.ref] = value.stream;
    found.push(path);
  }
  return found;
}

export interface PlacedStream {
  ref: string;
  stream: OwnStream;
}

function isPlaced(value: unknown): value is PlacedStream {
  return isObject(value) && typeof value.ref === "string" && isObject(value.stream);
}
