import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { factsPath } from "../../../lib/library/catalogue/facts_file.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { keepAll, knownRows, makeSession, summaryOf } from "../../_support/catalogued.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

const IDS = ["a", "bb", "ccc"];

/** A store with a catalogue of three sessions; gives what it knows, and its bytes. */
async function withCatalogue(
  test: (known: () => unknown[], path: string, rows: readonly unknown[]) => void,
): Promise<void> {
  await withDirectory((directory) => {
    const root = join(directory, "store");
    Deno.mkdirSync(root);
    const sessions = IDS.map((id) => makeSession(directory, id));
    keepAll({ folder: root }, sessions);
    const rows = sessions.map((session) => ({ session, summary: summaryOf(session) }));
    const known = (): unknown[] => knownRows({ folder: root }, sessions);
    assert.deepEqual(known(), rows);
    test(known, factsPath({ folder: root }), rows);
  });
}

/** Keeps the sessions of rows again. */
function keepAgain(path: string, rows: readonly unknown[]): void {
  keepAll(
    { folder: dirname(path) },
    rows.map((row) => (row as { session: AgentSession }).session),
  );
}

/** Each row is the right one, or none. */
function assertRightOrNone(known: readonly unknown[], rows: readonly unknown[]): void {
  for (const [index, row] of known.entries()) {
    if (row !== undefined) assert.deepEqual(row, rows[index]);
  }
}

// Slow: the database is opened for each byte that tells something.
Deno.test("P10 a flipped bit in the catalogue costs rows at most, never their truth", async () => {
  await withCatalogue((known, path, rows) => {
    const bytes = Deno.readFileSync(path);
    const random = mulberry32(7);
    let found = 0;
    let lost = 0;
    for (const [at, byte] of bytes.entries()) {
      if (byte === 0 && at % 64 > 0 || at % (ALL_TORTURE ? 1 : 8) > 0) continue;
      const flipped = bytes.slice();
      flipped[at] = byte ^ (1 << Math.floor(random() * 8));
      Deno.writeFileSync(path, flipped);
      const now = known();
      assertRightOrNone(now, rows);
      const count = now.filter((row) => row !== undefined).length;
      found += count;
      lost += rows.length - count;
    }
    // A damaged row does not take the others along.
    assert.ok(found > lost && lost > 0, `${found} found, ${lost} lost`);
  });
});

Deno.test("P10 a catalogue that is cut anywhere gives right rows or none, and is made anew", async () => {
  await withCatalogue((known, path, rows) => {
    const bytes = Deno.readFileSync(path);
    for (let length = 0; length < bytes.length; length += 511) {
      Deno.writeFileSync(path, bytes.subarray(0, length));
      assertRightOrNone(known(), rows);
    }
    Deno.writeFileSync(path, bytes.subarray(0, bytes.length / 2));
    keepAgain(path, rows);
    assert.deepEqual(known(), rows);
  });
});

Deno.test("P10 noise in place of a catalogue is as good as none", async () => {
  await withCatalogue((known, path) => {
    const header = Deno.readFileSync(path).subarray(0, 100);
    const random = mulberry32(11);
    for (let round = 0; round < roundsOf(300, 60); round++) {
      const noise = Uint8Array.from(
        { length: round * 900 / roundsOf(300, 60) },
        () => Math.floor(random() * 256),
      );
      if (round % 2 === 0) noise.set(header.subarray(0, noise.length));
      Deno.writeFileSync(path, noise);
      assert.deepEqual(known(), IDS.map(() => undefined));
    }
  });
});
