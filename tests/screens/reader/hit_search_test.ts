import assert from "node:assert/strict";
import { HitSearch } from "../../../lib/screens/reader/hit_search.ts";
import { SessionView } from "../../../lib/screens/reader/session_view.ts";
import { nextTurn } from "../../../lib/log/next_turn.ts";
import { eventually } from "../../_support/eventually.ts";
import { user } from "../../_support/log_bytes.ts";
import { DRAWING, withSession } from "./_session.ts";

Deno.test("a session that is left while a text is looked for is no error; another one is", async () => {
  // Many pieces: the search is on its way when it ends.
  const talk = Array.from({ length: 200 }, (_, at) => user(`${at} ${"x".repeat(20_000)}`));
  await withSession(talk, async (session) => {
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

Deno.test("where a search began anew is not said of the next text", async () => {
  await withSession([user("one"), user("two")], async (session) => {
    const view = new SessionView(session, DRAWING, { onProgress: () => {}, onError: () => {} });
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
    assert.match(search.text, /^“one” · .* · from the beginning$/);
    search.start("two", 1);
    assert.doesNotMatch(search.text, /from the/);
    await eventually(() => /· 1 of 1 block$/.test(search.text), () => search.text);
    search.stop();
    await view.close();
  });
});
