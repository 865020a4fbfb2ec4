import assert from "node:assert/strict";
import { decodeEvent } from "../../../lib/event/decode.ts";
import type { NewEvent } from "../../../lib/event/envelope.ts";
import { touches } from "../../../lib/pages/list/found_sessions.ts";
import { inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { keepClaudeSession } from "../../commands/_fake_agent.ts";
import { askOf } from "../_site.ts";

function isTouched(kind: string, payload: object, text = "src/zebra.ts"): boolean {
  const event = decodeEvent({ seq: 1, kind, payload });
  assert.ok(event !== undefined);
  return touches(event, text);
}

function called(input: unknown): object {
  return { content: [{ type: "tool_call", call_id: "c", name: "t", input }], model: "m" };
}

Deno.test("a file is touched where a change, an argument or a command names it", () => {
  assert.ok(isTouched("diff", { path: "/home/ada/SRC/Zebra.ts", lines: [] }));
  assert.ok(isTouched("assistant_message", called({ file_path: "src/zebra.ts" })));
  assert.ok(isTouched("assistant_message", called({ command: ["cat", "src/zebra.ts"] })));
  assert.ok(
    isTouched("assistant_message", {
      content: [{ type: "tool_call", call_id: "c", name: "t", input: { path: "src/zebra.ts" } }],
    }),
  );
  assert.ok(
    isTouched("bash_start", { call_id: "c", origin: "user", command: "wc -l src/zebra.ts" }),
  );
  const patch = "*** Begin Patch\n*** Update File: src/zebra.ts\n@@\n-a\n+b\n*** End Patch";
  for (const input of [patch, { input: patch }, { patch }]) {
    assert.ok(isTouched("assistant_message", called(input)));
  }
});

Deno.test("words in contents, outputs and patches are no file that was touched", () => {
  const text = "see src/zebra.ts";
  assert.ok(!isTouched("assistant_message", called({ path: "README.md", content: text })));
  assert.ok(!isTouched("assistant_message", { content: text, model: "m" }));
  assert.ok(!isTouched("user_message", { content: text }));
  assert.ok(!isTouched("tool_end", { call_id: "c", name: "t", status: "ok", output: text }));
  const patch = `*** Begin Patch\n*** Update File: a.md\n@@\n-a\n+${text}\n*** End Patch`;
  assert.ok(!isTouched("assistant_message", called({ patch })));
});

inHome.test("the filter by file passes over sessions in which a call only printed its name", async (home) => {
  const call = (path: string, output: string): NewEvent[] =>
    [
      user("Look"),
      {
        kind: "assistant_message",
        payload: { content: [{ type: "tool_call", call_id: "c", name: "read", input: { path } }] },
      },
      { kind: "tool_end", payload: { call_id: "c", name: "read", status: "ok", output } },
    ] as NewEvent[];
  home.keep(sessionId("aaaa"), call("src/zebra.ts", "stripes"));
  home.keep(sessionId("bbbb"), call("README.md", "stripes are in src/zebra.ts"));
  const { body } = await askOf(home)("?file=src/zebra.ts");
  assert.ok(body.includes(sessionId("aaaa")) && !body.includes(sessionId("bbbb")));
});

inHome.test("pages say how many sessions a date left out for want of one", async (home) => {
  home.keep(sessionId("aaaa"), [user("Dated")]);
  const { path } = keepClaudeSession(home, sessionId("bbbb"), home.work);
  Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace(/"timestamp":"[^"]*",/, ""));
  const note = /left out: 1 session that has no date/;
  const ask = askOf(home);
  for (const page of ["?since=30d", "?until=2026-11-22", "stats?since=30d"]) {
    assert.match((await ask(page)).body, note, page);
  }
  for (const page of ["", "?since=30d&project=/elsewhere", "stats?since=all"]) {
    assert.doesNotMatch((await ask(page)).body, note, page);
  }
});
