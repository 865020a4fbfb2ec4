/** Records the storage limits that the user was told of, before they take effect automatically. */
import { join } from "node:path";
import { shortTextIn } from "../file/short_file.ts";
import { writeTextFileSync } from "../platform/files.ts";

export interface AnnouncedLimits {
  days: number | undefined;
  megabytes: number | undefined;
}

const NOTE_BYTES = 1024;

function notePath(root: string): string {
  return join(root, "auto_prune.json");
}

export function isAnnounced(root: string, limits: AnnouncedLimits): boolean {
  const note = shortTextIn(notePath(root), NOTE_BYTES, { follow: false });
  return note?.trim() === JSON.stringify(limits);
}

export function noteAnnounced(root: string, limits: AnnouncedLimits): void {
  writeTextFileSync(notePath(root), `${JSON.stringify(limits)}\n`, { mode: 0o600 });
}
