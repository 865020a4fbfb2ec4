/** The record of the last push and the last pull that succeeded, for `sync`. */
import { join } from "node:path";
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { SETTINGS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { replaceRecord, syncDirectory } from "./sync_state.ts";

export interface LastTransfer {
  /** The store's id. */
  store: string;
  /** ISO time of the transfer by this machine's clock. */
  time: string;
  /** The command that ran the transfer, such as `sync push`. */
  by: string;
  sessions: number;
}

export type LastSync = Partial<Record<"push" | "pull", LastTransfer>>;

function lastSyncPath(root: string): string {
  return join(syncDirectory(root), "last.json");
}

/** Reads the records of the last push and pull. Leaves out a record that is missing or invalid. */
export function readLastSync(root: string): LastSync {
  const value = parsedJson(shortTextIn(lastSyncPath(root), SETTINGS_BYTES, { follow: false }));
  const entries = Object.entries(isObject(value) ? value : {}).filter(([name, last]) =>
    /^(?:push|pull)$/.test(name) && isTransfer(last)
  );
  return Object.fromEntries(entries);
}

function isTransfer(value: unknown): boolean {
  return isObject(value) && typeof value["store"] === "string" &&
    typeof value["by"] === "string" && typeof value["sessions"] === "number" &&
    !Number.isNaN(Date.parse(String(value["time"])));
}

/** Records a successful transfer. Ignores a failure to write the record. */
export function keepLastSync(root: string, act: keyof LastSync, transfer: LastTransfer): void {
  try {
    replaceRecord(lastSyncPath(root), { ...readLastSync(root), [act]: transfer });
  } catch {
    // The next one is remembered again.
  }
}
