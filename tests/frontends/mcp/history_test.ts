import assert from "node:assert/strict";
import { openLibrary } from "../../../lib/library/library.ts";
import { OpenWindows } from "../../../lib/frontends/mcp/history.ts";
import { pause } from "../../../lib/core/platform/pause.ts";
import { type CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";

const EVENTS = 5_000;

function libraryOf(home: CliHome): ReturnType<typeof openLibrary> {
  return openLibrary({ root: home.store, cwd: home.work, variable: () => undefined });
}

inHome.test("reads a session only as far as requests need it", async (home) => {
  const text = "word ".repeat(40);
  home.keep(sessionId("aaaa"), Array.from({ length: EVENTS }, () => user(text)));
  const windows = new OpenWindows();
  const window = windows.of(await libraryOf(home).open("aaaa"));
  const first = await windows.use(() => window.items(0, 10));
  assert.equal(first.length, 10);
  await pause(100, undefined);
  const { items, total } = window.progress;
  assert.equal(total, undefined);
  assert.ok(items < EVENTS, `${items}`);
  await windows.use(() => window.readAll());
  assert.equal(window.progress.total, EVENTS + 1);
  windows.close();
});

inHome.test("a session that changed is read anew, and few windows are kept", async (home) => {
  const { path } = home.keep(sessionId("aaaa"), [user("One")]);
  const library = libraryOf(home);
  const windows = new OpenWindows();
  const handle = await library.open("aaaa");
  const window = windows.of(handle);
  assert.equal(windows.of(handle), window);
  await Deno.writeTextFile(path, " ", { append: true });
  const changed = windows.of(handle);
  assert.notEqual(changed, window);
  for (let at = 0; at < 4; at++) {
    home.keep(sessionId(`bbb${at}`), [user("Two")]);
    windows.of(await library.open(`bbb${at}`));
  }
  assert.notEqual(windows.of(handle), changed);
  windows.close();
});
