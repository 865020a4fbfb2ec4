/** Folders that nobody can write to, not even root. */
import type { Requirement } from "./needing.ts";
import assert from "node:assert/strict";
import { canMount } from "./small_disk.ts";

const IS_ROOT = Deno.build.os !== "windows" && Deno.uid() === 0;

/** Whether this machine can forbid us to write. */
function canForbidWriting(): boolean {
  return Deno.build.os !== "windows" && (!IS_ROOT || canMount());
}

function mount(...args: string[]): void {
  assert.ok(new Deno.Command("mount", { args }).outputSync().success);
}

/** Runs a test while nothing can be written to a folder. Modes do not bind root: a mount does. */
export async function whileUnwritable(
  folder: string,
  test: () => Promise<void> | void,
): Promise<void> {
  if (IS_ROOT) {
    mount("--bind", folder, folder);
    mount("-o", "remount,bind,ro", folder);
  } else Deno.chmodSync(folder, 0o500);
  try {
    await test();
  } finally {
    if (IS_ROOT) new Deno.Command("umount", { args: ["-l", folder] }).outputSync();
    else Deno.chmodSync(folder, 0o700);
  }
}

/** A folder that cannot be written. */
export const FORBIDDEN_WRITING: Requirement = {
  what: "permission to forbid writing",
  get: "run the tests as a user other than root, or as root where it may mount",
  met: canForbidWriting(),
};

/** A user who can start programs of other users. */
export const ROOT: Requirement = { what: "root", get: "run the tests as root", met: IS_ROOT };

/** A user whom permissions bind. */
export const ORDINARY_USER: Requirement = {
  what: "a user other than root",
  get: "run the tests as one",
  met: !IS_ROOT,
};
