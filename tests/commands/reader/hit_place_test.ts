import assert from "node:assert/strict";
import { join } from "node:path";
import { itemOfHit } from "../../../commands/_reader/hit_place.ts";
import { SessionView } from "../../../commands/_reader/session_view.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import type { TranscriptItem } from "../../../lib/projection/transcript/transcript_item.ts";
import { logOf, user } from "../../_support/log_bytes.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

function textOf(item: TranscriptItem): string {
  return item.type === "message" ? `${item.content}` : "";
}

const DRAWING = {
  color: false,
  renderReader: () => ({ rows: [] }),
  readerRows: (height: number) => height,
  rowsFor: () => (item: TranscriptItem) => [textOf(item), ""],
  loadColors: () => Promise.resolve(false),
  itemText: textOf,
  hasMatch: (row: string, query: string) => row.includes(query),
};

Deno.test("a hit is found in its item, by the whole text, by a word, or not as it was said", async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    Deno.writeFileSync(path, logOf([user("one"), user("a Red fox"), user("three")]));
    const session = await openLibrary({ variable: () => undefined }).open(path);
    const view = new SessionView(session, DRAWING, { onProgress: () => {}, onError: () => {} });
    const found = (query: string) => itemOfHit(view, DRAWING, { seq: 2, query });
    assert.deepEqual(await found("red fox"), { item: 1, text: "red fox" });
    assert.deepEqual(await found('"red" three'), { item: 1, text: "red" });
    assert.deepEqual(await found("blue"), { item: 1 });
    view.close();
  });
});
