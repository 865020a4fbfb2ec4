import assert from "node:assert/strict";
import { join } from "node:path";
import { HitSearch } from "../../../commands/_reader/hit_search.ts";
import { SessionView } from "../../../commands/_reader/session_view.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import { nextTurn } from "../../../lib/log/next_turn.ts";
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

Deno.test("a session that is left while a text is looked for is no error; another one is", async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    // Many pieces: the search is on its way when it ends.
    const talk = Array.from({ length: 200 }, (_, at) => user(`${at} ${"x".repeat(20_000)}`));
    Deno.writeFileSync(path, logOf(talk));
    const session = await openLibrary({ variable: () => undefined }).open(path);
    for (const left of [true, false]) {
      const said: string[] = [];
      const errors: unknown[] = [];
      const onError = (error: unknown): void => void errors.push(error);
      const view = new SessionView(session, DRAWING, { onProgress: () => {}, onError });
      const search = new HitSearch(view, DRAWING, {
        say: (message) => void said.push(message),
        onCounted: () => {},
        onError,
      });
      search.start("nowhere", 1);
      while (said.length === 0) await nextTurn();
      if (left) search.stop();
      view.close();
      await assert.rejects(view.window.readAll(), { name: "AbortError" });
      await nextTurn();
      assert.match(said[0] ?? "", /^Looking for “nowhere” · item \d+$/);
      assert.equal(errors.length, left ? 0 : 1, `${errors}`);
    }
  });
});
