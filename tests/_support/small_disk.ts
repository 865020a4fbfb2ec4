/** A disk of 1 MB, for tests of what happens when it is full. Mounting one is for root alone. */
import type { Requirement } from "./needing.ts";
import { eventually } from "./eventually.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { withDirectory } from "./temp_directory.ts";

const DISK_BYTES = 1024 * 1024;

function mount(directory: string): boolean {
  const args = ["-t", "tmpfs", "-o", `size=${DISK_BYTES},mode=700`, "tmpfs", directory];
  try {
    return new Deno.Command("mount", { args, stderr: "null" }).outputSync().success;
  } catch {
    // There is no such program.
    return false;
  }
}

function unmount(directory: string): void {
  new Deno.Command("umount", { args: ["-l", directory] }).outputSync();
}

/** Makes a mounted disk one that nothing can be written to. */
export function setReadOnly(disk: string): void {
  const args = ["-o", "remount,ro", disk];
  assert.ok(new Deno.Command("mount", { args }).outputSync().success);
}

/** Whether this machine lets us mount. */
export function canMount(): boolean {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  const directory = Deno.makeTempDirSync();
  const mounted = mount(directory);
  if (mounted) unmount(directory);
  Deno.removeSync(directory);
  return mounted;
}

/** Runs a test with a folder that is a disk of 1 MB. */
export async function withSmallDisk(test: (disk: string) => Promise<void>): Promise<void> {
  await withDirectory(async (directory) => {
    const disk = join(directory, "disk");
    Deno.mkdirSync(disk);
    assert.ok(mount(disk));
    try {
      await test(disk);
    } finally {
      unmount(disk);
    }
  });
}

/** Fills a disk but for `spare` bytes; gives what frees it again. */
export function fill(disk: string, spare = 0): () => Promise<void> {
  const path = join(disk, "filler");
  const file = Deno.openSync(path, { write: true, create: true });
  const block = new Uint8Array(4096);
  try {
    while (file.writeSync(block) > 0);
  } catch {
    // The disk is full.
  }
  const { size } = file.statSync();
  if (spare > 0) file.truncateSync(size - spare);
  file.close();
  return () => empty(disk, path);
}

/** Removes the filler. A process that is just being started may hold it open for an instant more. */
async function empty(disk: string, filler: string): Promise<void> {
  Deno.removeSync(filler);
  const probe = join(disk, "probe");
  await eventually(() => {
    try {
      Deno.writeFileSync(probe, new Uint8Array(DISK_BYTES / 4));
      return true;
    } catch {
      // There is no room yet.
      return false;
    }
  }, () => `no room on ${disk}`);
  Deno.removeSync(probe);
}

/** A disk that can be filled. */
export const SMALL_DISK: Requirement = {
  what: "permission to mount a disk",
  get: "run the tests as root on Linux",
  met: canMount(),
};
