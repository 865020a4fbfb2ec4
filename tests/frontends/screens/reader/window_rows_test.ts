import assert from "node:assert/strict";
import { join } from "node:path";
import { findHit } from "../../../../lib/frontends/screens/reader/find_hit.ts";
import { type RowPlace, WindowRows } from "../../../../lib/frontends/screens/reader/window_rows.ts";
import type { SessionWindow } from "../../../../lib/library/handle/window/session_window.ts";
import type { TranscriptItem } from "../../../../lib/core/projection/transcript/item.ts";
import { assistant, logOf, user } from "../../../_support/log_bytes.ts";
import { logWindow } from "../../../_support/log_window.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";
import { textOf } from "./_session.ts";
import { testsIn } from "../../../_support/tests_in.ts";

const inRows = testsIn(withRows);

/** Three rows an item; those after the first are folded unless it is open. */
function render(item: TranscriptItem, open: boolean): string[] {
  const text = textOf(item);
  return [text, `${text} second`, ...(open ? ["folded"] : []), ""];
}

async function withRows(
  run: (rows: WindowRows, window: SessionWindow) => Promise<void>,
): Promise<void> {
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    const talk = Array.from({ length: 50 }, (_, at) => [user(`q${at}`), assistant(`a${at}`)]);
    Deno.writeFileSync(path, logOf(talk.flat()));
    const window = logWindow(path, { cut_characters: 300 });
    await run(new WindowRows(window, render), window);
    await window.close();
  });
}

Deno.test("rows are the same from the end and from the beginning", async () => {
  await withRows(async (rows, window) => {
    const end = await rows.end(5);
    assert.ok(end.item < 0);
    const shown = (await rows.from(end, 5)).map(({ text }) => text);
    assert.deepEqual(shown, ["q49", "q49 second", "", "a49", "a49 second"]);
    await window.readAll();
    const place = rows.settled(end);
    assert.ok(place.item > 0);
    assert.deepEqual((await rows.from(place, 5)).map(({ text }) => text), shown);
    assert.deepEqual(rows.settled(await rows.end(5)), place);
  });
});

inRows.test("moving stops at the first and the last row, and comes back to where it began", async (rows) => {
  const place: RowPlace = { item: 10, row: 1 };
  assert.deepEqual(await rows.moved(await rows.moved(place, 47), -47), place);
  assert.deepEqual(await rows.moved(place, -1000), { item: 0, row: 0 });
  assert.deepEqual(await rows.moved(place, 1000), { item: 99, row: 2 });
  const end = await rows.end(2);
  assert.deepEqual(await rows.moved(end, -10_000), { item: 0, row: 0 });
});

inRows.test("prompts are found in both directions", async (rows) => {
  assert.equal(await rows.findPrompt(10, 1), 12);
  assert.equal(await rows.findPrompt(11, -1), 10);
  assert.equal(await rows.findPrompt(99, 1), undefined);
  assert.equal(await rows.findPrompt(0, -1), undefined);
  assert.equal(await rows.findPrompt(-1, -1), -2);
});

inRows.test("hits are found in both directions; what is folded away is opened", async (rows) => {
  const matching = {
    itemText: (item: TranscriptItem) => `${textOf(item)} second folded`,
    hasMatch: (row: string, query: string) => row.includes(query),
  };
  const { signal } = new AbortController();
  const from = { item: 20, row: 0 };
  const find = (query: string, step: 1 | -1): Promise<RowPlace | undefined> =>
    findHit(rows, matching, { from, step, query, signal });
  assert.deepEqual(await find("second", 1), { item: 20, row: 1 });
  assert.deepEqual(await find("second", -1), { item: 19, row: 1 });
  matching.itemText = textOf;
  assert.deepEqual(await find("q30", 1), { item: 60, row: 0 });
  assert.deepEqual(await find("q30", -1), undefined);
  matching.itemText = (item) => textOf(item) === "a40" ? "folded" : "";
  assert.deepEqual(await find("folded", 1), { item: 81, row: 2 });
});
