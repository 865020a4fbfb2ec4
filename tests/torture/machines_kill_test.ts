/** A sync of machines that is killed at any step: the next ones complete it, and all are equal. */
import assert from "node:assert/strict";
import { forEachCrash } from "../_support/crash_states.ts";
import { inDirectory } from "../_support/temp_directory.ts";
import {
  continueElsewhere,
  ID,
  PairedMachine,
  turn,
} from "../features/backup/machines/_paired_machine.ts";

const OTHER = "0199a000-2222-4222-8333-444455556666";

/** Syncs both machines until nothing is new, and expects both to have both sessions. */
async function assertEqual(a: PairedMachine, b: PairedMachine, call: string): Promise<void> {
  for (const machine of [a, b, a, b]) await machine.sync();
  const text = (cwd: string): string => turn(cwd, 0, "Hello") + turn(cwd, 1, "From the desktop");
  assert.equal(Deno.readTextFileSync(a.session()), text(a.project), call);
  assert.equal(Deno.readTextFileSync(b.session()), text(b.project), call);
  const rows = await b.library.sessions({});
  const other = rows.find(({ id }) => id === OTHER);
  assert.equal(
    Deno.readTextFileSync(other?.path ?? ""),
    turn(a.project, 2, "Another", OTHER),
    call,
  );
  assert.deepEqual(rows.map(({ id }) => id).sort(), [ID, OTHER], call);
}

// Slow: each step of a sync is one at which it is killed.
inDirectory.test("a sync that is killed at any step is completed by the next ones", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  await continueElsewhere(a, b);
  // This round sends a session, receives one, and lets a file grow.
  a.say(2, "Another", OTHER);
  const states = await forEachCrash(
    folder,
    () => a.sync(),
    () => undefined,
    (_told, call) => assertEqual(a, b, call),
  );
  assert.ok(states > 10, `${states}`);
});
