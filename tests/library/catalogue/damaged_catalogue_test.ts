import assert from "node:assert/strict";
import { join } from "node:path";
import { cataloguePath } from "../../../lib/library/catalogue/catalogue_file.ts";
import { keepAll, knownRows, makeSession, summaryOf } from "../../_support/catalogued.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
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
    test(known, cataloguePath(root), rows);
  });
}

/** Each row is the right one, or none. */
function assertRightOrNone(known: readonly unknown[], rows: readonly unknown[]): void {
  for (const [index, row] of known.entries()) {
    if (row !== undefined) assert.deepEqual(row, rows[index]);
  }
}

// Slow: every byte is flipped.
Deno.test("P10 a flipped bit in the catalogue costs a row at most its place, never its truth", async () => {
  await withCatalogue((known, path, rows) => {
    const bytes = Deno.readFileSync(path);
    const random = mulberry32(7);
    let found = 0;
    for (let at = 0; at < bytes.length; at++) {
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      Deno.writeFileSync(path, flipped);
      const now = known();
      assertRightOrNone(now, rows);
      assert.ok(now.includes(undefined), `byte ${at} does not count`);
      found += now.filter((row) => row !== undefined).length;
    }
    // A damaged row does not take the others along.
    assert.ok(found > bytes.length);
  });
});

Deno.test("P10 a catalogue that is cut anywhere, or longer, is as good as none", async () => {
  await withCatalogue((known, path) => {
    const bytes = Deno.readFileSync(path);
    for (let length = 0; length < bytes.length; length++) {
      Deno.writeFileSync(path, bytes.subarray(0, length));
      assert.deepEqual(known(), IDS.map(() => undefined));
    }
    Deno.writeFileSync(path, new Uint8Array([...bytes, 0]));
    assert.deepEqual(known(), IDS.map(() => undefined));
  });
});

Deno.test("P10 noise in place of a catalogue is as good as none", async () => {
  await withCatalogue((known, path) => {
    const header = Deno.readFileSync(path).subarray(0, 16);
    const random = mulberry32(11);
    for (let round = 0; round < roundsOf(300); round++) {
      const noise = Uint8Array.from(
        { length: round * 900 / roundsOf(300) },
        () => Math.floor(random() * 256),
      );
      if (round % 2 === 0) noise.set(header.subarray(0, noise.length));
      Deno.writeFileSync(path, noise);
      assert.deepEqual(known(), IDS.map(() => undefined));
    }
  });
});
