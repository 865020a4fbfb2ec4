/** What a group of test files does with each of them. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { MARK } from "./test_report.ts";

/**
 * Registers the tests of a file, behind one whose name says to the runner which file begins. A file
 * that cannot be loaded fails alone: the others of its group run.
 *
 * @param path The file, from the root of the repository
 */
export async function testFile(path: string, load: () => Promise<unknown>): Promise<void> {
  Deno.test(`${MARK}${path}`, () => {});
  try {
    await load();
  } catch (error) {
    Deno.test(`${path} is loaded`, () => {
      throw error;
    });
  }
}

/** Waits until a file is made: tests are loaded while the program that they start is bundled. */
export async function untilMade(path: string): Promise<void> {
  // Not below the folder: Deno's watcher never ends, and a pipe that a test makes there blocks it.
  using changes = Deno.watchFs(dirname(path), { recursive: false });
  if (existsSync(path)) return;
  for await (const _ of changes) {
    if (existsSync(path)) return;
  }
}

/** Says to the runner that the last file of a group has ended. */
export function endOfGroup(): void {
  Deno.test(MARK, () => {});
}
