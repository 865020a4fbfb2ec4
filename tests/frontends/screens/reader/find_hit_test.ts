import assert from "node:assert/strict";
import { itemOfHit } from "../../../../lib/frontends/screens/reader/find_hit.ts";
import { ReaderView } from "../../../../lib/frontends/screens/reader/reader_view.ts";
import { user } from "../../../_support/log_bytes.ts";
import { DRAWING, withSession } from "./_session.ts";

Deno.test("a hit is found in its item, by the whole text, by a word, or not as it was said", async () => {
  await withSession([user("one"), user("a Red fox"), user("three")], async (session) => {
    const view = new ReaderView(session, DRAWING, { onProgress: () => {}, onError: () => {} });
    const found = (query: string) => itemOfHit(view, DRAWING, { seq: 2, query });
    assert.deepEqual(await found("red fox"), { item: 1, text: "red fox" });
    assert.deepEqual(await found('"red" three'), { item: 1, text: "red" });
    assert.deepEqual(await found("blue"), { item: 1 });
    await view.close();
  });
});

Deno.test("a hit in what is attached to a prompt is found behind it", async () => {
  const content = [
    { type: "text", text: "read it" },
    { type: "text", text: "zebrafish", name: "notes.txt", audience: "model" },
  ] as const;
  const prompt = { ...user("read it"), payload: { content: [...content] } } as ReturnType<
    typeof user
  >;
  await withSession([user("one"), prompt], async (session) => {
    const view = new ReaderView(session, DRAWING, { onProgress: () => {}, onError: () => {} });
    const hit = { seq: 2, query: "zebrafish" };
    assert.deepEqual(await itemOfHit(view, DRAWING, hit), { item: 2, text: "zebrafish" });
    await view.close();
  });
});
