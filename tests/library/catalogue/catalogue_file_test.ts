import assert from "node:assert/strict";
import {
  CatalogueFile,
  type NewEntry,
  replaceCatalogue,
} from "../../../lib/library/catalogue/catalogue_file.ts";
import { encodeRow } from "../../../lib/library/catalogue/catalogue_row.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";

const PROGRAM = 7;
const ROWS = 1200;
/** All rows together are larger than what is read at a time. */
const ROW_BYTES = 2_000;

function entryOf(index: number): NewEntry {
  const session = { agent: "reprise" as const, id: `s${index}`, path: "x".repeat(ROW_BYTES) };
  const { bytes, crc } = encodeRow({ session, summary: null });
  return {
    ...{ key: index, agent: "reprise", updated: index, cwd: "", crc, length: bytes.length },
    ...{ archived: false, imported: false, empty: false, more: false },
    state: { size: 1, mtime: 1, ctime: 1, ino: index, others: 0 },
    bytes: () => bytes,
  };
}

/** Bytes that are read from files while a function runs. */
function bytesReadBy(run: () => void): number {
  const { prototype } = Deno.FsFile;
  const { readSync } = prototype;
  let bytes = 0;
  prototype.readSync = function (target): number | null {
    const count = readSync.call(this, target);
    bytes += count ?? 0;
    return count;
  };
  try {
    run();
  } finally {
    prototype.readSync = readSync;
  }
  return bytes;
}

function shuffled(count: number): number[] {
  const random = mulberry32(24);
  return Array.from({ length: count }, (_, index) => ({ index, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ index }) => index);
}

for (
  const [order, indexes] of [
    ["the order of lists", Array.from({ length: ROWS }, (_, index) => ROWS - 1 - index)],
    ["the order of locating", Array.from({ length: ROWS }, (_, index) => index)],
    ["another order", shuffled(ROWS)],
  ] as const
) {
  inDirectory.test(`CatalogueFile reads a large file of rows at most twice, in ${order}`, (root) => {
    replaceCatalogue(root, PROGRAM, Array.from({ length: ROWS }, (_, index) => entryOf(index)));
    const file = CatalogueFile.open(root, PROGRAM);
    assert.ok(file !== undefined);
    const read = bytesReadBy(() => {
      for (const index of indexes) assert.equal(file.row(index)?.session.id, `s${index}`);
    });
    file.close();
    assert.ok(read >= ROWS * ROW_BYTES && read <= 2.5 * ROWS * ROW_BYTES, `${read} bytes`);
  });
}
