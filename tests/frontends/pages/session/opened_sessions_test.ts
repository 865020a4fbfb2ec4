import assert from "node:assert/strict";
import { OpenedSessions } from "../../../../lib/frontends/pages/session/opened_sessions.ts";
import { openLibrary } from "../../../../lib/library/library.ts";
import { inHome, sessionId } from "../../../_support/cli_home.ts";
import { user } from "../../../_support/log_bytes.ts";

inHome.test("a page that is slow still reads its session when others were opened, or it grew", async (home) => {
  const ids = ["aaaa", "bbbb", "cccc", "dddd", "eeee", "ffff"].map(sessionId);
  const logs = ids.map((id) => home.keep(id, [user(`Asked in ${id}`)]));
  const library = openLibrary({ root: home.store, variable: () => undefined });
  const opened = new OpenedSessions(library);
  const slow = await opened.open(ids[0] ?? "");
  for (const id of ids.slice(1)) await opened.open(id);
  assert.equal((await slow.items.items(0, 9)).length, 2);
  const live = await opened.open(ids[1] ?? "");
  const file = `${logs[1]?.directory}/transcript_events.jsonl`;
  Deno.utimeSync(file, new Date(), new Date());
  const anew = await opened.open(ids[1] ?? "");
  assert.notEqual(anew, live);
  assert.equal((await live.items.items(0, 9)).length, 2);
});
