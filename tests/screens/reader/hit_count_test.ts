import assert from "node:assert/strict";
import { join } from "node:path";
import { HitCount } from "../../../lib/screens/reader/hit_search.ts";
import { LogPieces } from "../../../lib/library/window/log_pieces.ts";
import { SessionWindow } from "../../../lib/library/window/session_window.ts";
import { logOf, user } from "../../_support/log_bytes.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { DRAWING } from "./_session.ts";

Deno.test("blocks with a text are counted while the session is read, and then all are known", async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    const talk = Array.from({ length: 60 }, (_, at) => user(at % 7 === 3 ? "a Needle" : "hay"));
    Deno.writeFileSync(path, logOf(talk));
    const window = new SessionWindow(new LogPieces(path, 500));
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
});

Deno.test("counting ends at the signal", async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    Deno.writeFileSync(path, logOf(Array.from({ length: 60 }, () => user("needle"))));
    const window = new SessionWindow(new LogPieces(path, 500));
    const count = new HitCount(window, "needle");
    const stop = new AbortController();
    await count.run(DRAWING, stop.signal, () => stop.abort());
    assert.match(count.text(undefined), /so far/);
    await window.close();
  });
});
