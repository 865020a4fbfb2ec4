import assert from "node:assert/strict";
import { ReaderView } from "../../../../lib/frontends/screens/reader/reader_view.ts";
import { assistant, user } from "../../../_support/log_bytes.ts";
import { DRAWING, withSession } from "./_session.ts";

Deno.test("SessionView keeps its selected block on the screen, and shows the last one at the top", async () => {
  const talk = Array.from({ length: 20 }, (_, at) => [user(`q${at}`), assistant(`a${at}`)]);
  await withSession(talk.flat(), async (session) => {
    const view = new ReaderView(session, DRAWING, { onProgress: () => {}, onError: () => {} });
    // Each block takes two rows.
    const look = async (): Promise<string> => {
      const shown = await view.fit({ width: 80, page: 5, folding: "brief" });
      return `${shown[0]?.text} ${shown.find(({ item }) => item === view.current)?.text}`;
    };
    await look();
    assert.equal(await view.move({ type: "select", step: 1 }), "No more blocks");
    await view.readOn();
    for (let at = 0; at < 4; at++) await view.move({ type: "select", step: -1 }).then(look);
    assert.equal(await look(), "a17 a17");
    for (let at = 0; at < 4; at++) await view.move({ type: "select", step: 1 }).then(look);
    assert.equal(await look(), "a18 a19");
    await view.move({ type: "scroll", rows: -4 });
    assert.equal(await look(), "a17 a18");
    for (let at = 0; at < 30; at++) await view.move({ type: "scroll", rows: 1 }).then(look);
    assert.equal(await look(), "a19 a19");
    await view.move({ type: "page", pages: 1 });
    assert.equal(await look(), "a18 a19");
    await view.close();
  });
});
