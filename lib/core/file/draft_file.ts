/**
 * Drafts: files and folders that are written next to their final path, and renamed when complete. A
 * draft's name identifies its process. So the next writer in the folder removes the drafts of
 * killed processes.
 */
import { basename, dirname, join } from "node:path";
import { sha256 } from "../event/sha256.ts";
import { lstatSync, readDirSync, removeSync } from "../platform/files.ts";
import { hostName, processId } from "../platform/process.ts";
import { mayRun } from "../platform/process_state.ts";

const NAME = /^\..*\.reprise-([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{12}\.tmp(?:\.[a-z]+)?$/s;
/**
 * Age in milliseconds at which a draft of another or unknown host counts as abandoned. A running
 * process changes its draft sooner.
 */
const LEFT_MS = 60 * 60 * 1000;
/** Maximum characters of a file's name that its draft's name repeats. */
const MAX_BASE = 60;

const looked_at = new Set<string>();

/**
 * Returns a new name for the draft of a file, in the same folder. On a process's first call for a
 * folder, removes drafts whose writers were killed.
 */
export function draftPath(path: string): string {
  const folder = dirname(path);
  if (!looked_at.has(folder)) {
    looked_at.add(folder);
    removeAbandonedDrafts(folder);
  }
  const random = crypto.randomUUID().slice(-12);
  const name = basename(path).slice(0, MAX_BASE);
  return join(folder, `.${name}.reprise-${hostMark()}-${processId()}-${random}.tmp`);
}

export function isDraftInUse(path: string): boolean {
  const [, host, pid] = NAME.exec(basename(path)) ?? [];
  if (host === undefined) return false;
  if (host === hostMark() && host !== UNKNOWN) return mayRun(Number(pid));
  const { mtime } = lstatSync(path);
  return Date.now() - (mtime?.getTime() ?? Infinity) < LEFT_MS;
}

function removeAbandonedDrafts(folder: string): void {
  try {
    for (const { name } of readDirSync(folder)) {
      if (NAME.test(name)) removeAbandonedDraft(join(folder, name));
    }
  } catch {
    // The folder does not exist yet, or cannot be listed.
  }
}

function removeAbandonedDraft(path: string): void {
  try {
    if (!isDraftInUse(path)) removeSync(path, { recursive: true });
  } catch {
    // Another process removed the draft first, or the draft belongs to another user.
  }
}

/** Host hash in the drafts of a process that cannot read its host's name. */
const UNKNOWN = "00000000";

/** Returns 8 hexadecimal digits of a hash of the host's name, because hosts may share folders. */
function hostMark(): string {
  const name = hostName();
  return name === "unknown" ? UNKNOWN : sha256(new TextEncoder().encode(name)).slice(0, 8);
}
