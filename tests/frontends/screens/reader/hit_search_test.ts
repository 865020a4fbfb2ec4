import assert from "node:assert/strict";
import { nextTurn } from "../../../../lib/core/log/next_turn.ts";
import type { SessionHandle } from "../../../../lib/library/handle/session_handle.ts";
import { HitCount, HitSearch } from "../../../../lib/frontends/screens/reader/hit_search.ts";
import { ReaderView } from "../../../../lib/frontends/screens/reader/reader_view.ts";
import { openFiles } from "../../../_support/open_files.ts";
import { eventually } from "../../../_support/eventually.ts";
import { logOf, user } from "../../../_support/log_bytes.ts";
import { logWindow } from "../../../_support/log_window.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";
import { DRAWING, withSession } from "./_session.ts";
import { join } from "node:path";

const isLinux = Deno.build.os === "linux";

Deno.test("a session that is left while a text is looked for is no error; another one is", async () => {
  // Many pieces: the search is on its way when it ends.
  const talk = Array.from({ length: 200 }, (_, at) => user(`${at} ${"x".repeat(20_000)}`));
  await withSession(talk, async (session) => {
    for (const left of [true, false]) {
      // A busy machine may have read all of it by then: the next try begins anew.
      const { said, errors } = await eventually(() => leftAmid(session, left));
      // The piece that is being read ends with its file.
      if (isLinux) await eventually(() => openFiles(session.path).length === 0);
      assert.match(said[0] ?? "", /^Searching for “nowhere” · block \d+$/);
      assert.equal(errors.length, left ? 0 : 1, `${errors}`);
    }
  });
});

/** Closes a session while a text is looked for; undefined where all of it was read before. */
async function leftAmid(
  session: SessionHandle,
  left: boolean,
): Promise<{ said: string[]; errors: unknown[] } | undefined> {
  const said: string[] = [];
  const errors: unknown[] = [];
  const closed = Promise.withResolvers<void>();
  const onError = (error: unknown): void => void errors.push(error);
  const view = new ReaderView(session, DRAWING, { onProgress: () => {}, onError });
  const search = new HitSearch(view, DRAWING, {
    // At once: on a busy machine all is read in the next turn.
    say(message): void {
      if (said.push(message) > 1) return;
      if (left) search.stop();
      closed.resolve(view.close());
    },
    onCounted: () => {},
    onError,
  });
  search.start("nowhere", 1);
  await closed.promise;
  const end = await view.window.readAll().then(() => undefined, (error: Error) => error.name);
  // A piece that is being read ends some turns after the signal.
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  search.stop();
  return end === "AbortError" ? { said, errors } : undefined;
}

Deno.test("a new query does not repeat where the last search wrapped around", async () => {
  await withSession([user("one"), user("two")], async (session) => {
    const view = new ReaderView(session, DRAWING, { onProgress: () => {}, onError: () => {} });
    await view.fit({ width: 80, page: 5, folding: "brief" });
    const found = Promise.withResolvers<void>();
    const search = new HitSearch(view, DRAWING, {
      say: (message) => message === "" && found.resolve(),
      onCounted: () => {},
      onError: found.reject,
    });
    view.goTo({ item: 1, row: 0 });
    search.start("one", 1);
    await found.promise;
    assert.match(search.text, /^“one” · .* · search wrapped around to the beginning$/);
    search.start("two", 1);
    assert.doesNotMatch(search.text, /from the/);
    await eventually(() => /· 1 of 1 block$/.test(search.text), () => search.text);
    search.stop();
    await view.close();
  });
});

inDirectory.test("blocks with a text are counted while the session is read, and then all are known", async (directory) => {
  const path = join(directory, "log");
  const talk = Array.from({ length: 60 }, (_, at) => user(at % 7 === 3 ? "a Needle" : "hay"));
  Deno.writeFileSync(path, logOf(talk));
  const window = logWindow(path, { cut_characters: 1000 });
  const count = new HitCount(window, "needle");
  assert.equal(count.next(0, 1), undefined);
  assert.equal(count.next(-3, 1), undefined);
  const texts: string[] = [];
  await count.run(DRAWING, new AbortController().signal, () => texts.push(count.text(3)));
  assert.match(texts[0] ?? "", /^1 of 1 block so far/);
  assert.ok(texts.some((text) => /^1 of [2-8] blocks so far/.test(text)), texts.join("; "));
  assert.equal(texts.at(-1), "1 of 9 blocks");
  assert.equal(count.text(undefined), "9 blocks");
  assert.deepEqual([count.next(3, 1), count.next(3, -1)], [10, "none"]);
  assert.deepEqual([count.next(59, -1), count.next(59, 1)], [52, "none"]);
  await window.close();
});

inDirectory.test("counting ends at the signal", async (directory) => {
  const path = join(directory, "log");
  Deno.writeFileSync(path, logOf(Array.from({ length: 60 }, () => user("needle"))));
  const window = logWindow(path, { cut_characters: 500 });
  const count = new HitCount(window, "needle");
  const stop = new AbortController();
  await count.run(DRAWING, stop.signal, () => stop.abort());
  assert.match(count.text(undefined), /so far/);
  await window.close();
});
