/**
 * A folder in memory for what tests write. On a disk, a tenth of all CPU time goes into finding room for
 * files that live for milliseconds.
 */
import { statfsSync } from "node:fs";

/** Linux mounts it for shared memory. */
const SHARED_MEMORY = "/dev/shm";
const PREFIX = "reprise-tests-";
/** Several times what the tests hold at once. */
const LEAST_FREE_BYTES = 2 ** 31;
/** Names the folder for temporary files on the disk. */
export const DISK_VARIABLE = "REPRISE_TEST_DISK";

/**
 * Where a test makes the files of a process with few permissions: Deno gives such a process nothing
 * below `/dev`.
 *
 * @default {the folder for temporary files}
 */
export const ON_DISK: string | undefined = Deno.env.get(DISK_VARIABLE);

/** Removes the folders of runners that were killed. */
function removeAbandoned(parent: string): void {
  for (const { name } of Deno.readDirSync(parent)) {
    const pid = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
    if (pid === undefined || isThere(`/proc/${pid}`)) continue;
    Deno.removeSync(`${parent}/${name}`, { recursive: true });
  }
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    // Nothing of this name.
    return false;
  }
}

/** True where programs may be started from a folder: a container often forbids it. */
function startsPrograms(folder: string): boolean {
  const path = `${folder}/program`;
  try {
    Deno.writeTextFileSync(path, "#!/bin/sh\n", { mode: 0o700 });
    return new Deno.Command(path).outputSync().success;
  } catch {
    // Mounted with `noexec`.
    return false;
  } finally {
    Deno.removeSync(path);
  }
}

/** Makes a folder in memory, for the caller to remove; undefined where a machine has no room for it. */
export function makeMemoryFolder(parent: string = SHARED_MEMORY): string | undefined {
  if (Deno.build.os !== "linux") return undefined;
  try {
    const { bavail, bsize } = statfsSync(parent);
    if (bavail * bsize < LEAST_FREE_BYTES) return undefined;
    removeAbandoned(parent);
    const folder = `${parent}/${PREFIX}${Deno.pid}`;
    Deno.mkdirSync(folder);
    // A server runs as another user, who needs to pass.
    Deno.chmodSync(folder, 0o711);
    if (startsPrograms(folder)) return folder;
    Deno.removeSync(folder, { recursive: true });
  } catch {
    // No such place here, or not for this user.
  }
  return undefined;
}
