/** Scrubs that can be undone, and that are killed. */
import assert from "node:assert/strict";
import type { CliHome } from "../../_support/cli_home.ts";
import { forEachCrash } from "../../_support/crash_states.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { leaksBelow, type Planted } from "../../_support/planted_secrets.ts";
import { BundleKey } from "../../features/backup/bundle/_bundles.ts";

/** Returns the words that scrub a session, and those that undo it, with a new key. */
export async function scrubWords(
  home: CliHome,
  ref: string,
): Promise<{ write: string[]; undo: string[] }> {
  const { path } = await BundleKey.in(home.path);
  const words = ["secrets", ref, "--scrub", "--identity", path];
  return { write: [...words, "--write"], undo: [...words, "--undo"] };
}

/** Asserts that a scrub left neither a secret nor a draft. */
export function assertScrubbed(home: CliHome, planted: readonly Planted[], call?: string): void {
  assert.deepEqual(leaksBelow(home.path, planted), [], call);
  const drafts = filesBelow(home.path).filter((path) => path.includes("reprise-scrub"));
  assert.deepEqual(drafts, [], call);
}

/**
 * Kills a scrub before some of its calls, finishes it with the next run, and undoes it.
 *
 * @param check Called behind each kill and behind each undo.
 * @returns How many calls there were.
 */
export async function killScrub(
  home: CliHome,
  ref: string,
  planted: readonly Planted[],
  check: (when: "killed" | "undone", call: string) => void,
): Promise<number> {
  const { write, undo } = await scrubWords(home, ref);
  let [seen, checked] = [0, 0];
  const every = Math.ceil(36 / roundsOf(36, 5));
  await forEachCrash(home.path, () => home.run(write), () => undefined, async (_, call) => {
    if (seen++ % every !== 0) return;
    checked++;
    check("killed", call);
    await home.succeed(write);
    assertScrubbed(home, planted, call);
    await home.succeed(undo);
    check("undone", call);
  });
  assert.ok(checked > 3, `${checked} of ${seen}`);
  return seen;
}
