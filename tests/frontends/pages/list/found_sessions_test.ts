import assert from "node:assert/strict";
import { join } from "node:path";
import type { NewEvent } from "../../../../lib/core/event/envelope.ts";
import { inHome, sessionId } from "../../../_support/cli_home.ts";
import { user } from "../../../_support/log_bytes.ts";
import { keepClaudeSession } from "../../../commands/_fake_agent.ts";
import { askOf } from "../_site.ts";

inHome.test("the filter by file takes sessions that changed it, by its path or the end of it", async (home) => {
  const call = (name: string, input: object, output: string): NewEvent[] =>
    [
      user("Look"),
      {
        kind: "assistant_message",
        payload: { content: [{ type: "tool_call", call_id: "c", name, input }] },
      },
      { kind: "tool_end", payload: { call_id: "c", name, status: "ok", output } },
    ] as NewEvent[];
  home.keep(sessionId("aaaa"), call("write", { file_path: "src/zebra.ts", content: "1\n" }, ""));
  home.keep(sessionId("bbbb"), call("read", { file_path: "src/zebra.ts" }, "src/zebra.ts"));
  const listed = async (file: string): Promise<boolean[]> => {
    const { body } = await askOf(home)(`?file=${encodeURIComponent(file)}`);
    return ["aaaa", "bbbb"].map((id) => body.includes(sessionId(id)));
  };
  for (const file of ["zebra.ts", "src/zebra.ts", join(home.work, "src/zebra.ts"), "src"]) {
    assert.deepEqual(await listed(file), [true, false], file);
  }
  assert.deepEqual(await listed("bra.ts"), [false, false]);
});

inHome.test("pages say how many sessions a date left out for want of one", async (home) => {
  home.keep(sessionId("aaaa"), [user("Dated")]);
  const { path } = keepClaudeSession(home, sessionId("bbbb"), home.work);
  Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace(/"timestamp":"[^"]*",/, ""));
  const note = /1 session is left out, because it has no date/;
  const ask = askOf(home);
  for (const page of ["?since=30d", "?until=2026-11-22", "stats?since=30d"]) {
    assert.match((await ask(page)).body, note, page);
  }
  for (const page of ["", "?since=30d&project=/elsewhere", "stats?since=all"]) {
    assert.doesNotMatch((await ask(page)).body, note, page);
  }
});
