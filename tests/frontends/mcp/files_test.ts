import assert from "node:assert/strict";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { allPages, talkAbout } from "./_history.ts";

/** A session whose calls are events 4, 6, 8 … */
function writes(files: readonly (readonly [path: string, content: string])[]): NewEvent[] {
  return [
    user("Write it"),
    ...files.flatMap(([path, content], index): NewEvent[] => {
      const call = { type: "tool_call" as const, call_id: `c${index}`, name: "write" };
      const end = { call_id: call.call_id, name: "write", status: "ok" as const, output: "Done" };
      return [
        {
          kind: "assistant_message",
          payload: { content: [{ ...call, input: { path, content } }] },
        },
        { kind: "tool_end", payload: end },
      ];
    }),
  ];
}

const FILES = { ref: "aaaa", what: "files" };

// Slow: 120 files fill many pages.
inHome.test("files of many pages come whole, each once", async (home) => {
  const names = Array.from(
    { length: 120 },
    (_, at) => `file ${String(at).padStart(4, "0")} ${"x".repeat(120)}.ts`,
  );
  const long = Array.from({ length: 1600 }, (_, at) => `line ${at}`);
  home.keep(
    sessionId("aaaa"),
    writes([...names.map((name) => [name, "x\n"] as const), ["z.ts", long.join("\n")]]),
  );
  await using talk = await talkAbout(home);
  const pages = await allPages(talk, "read_session", FILES);
  assert.ok(pages.length > 1, `${pages.length}`);
  assert.deepEqual(pages.join("").match(/^file \d{4} x+\.ts/gm), names);
  const full = (await allPages(talk, "read_session", { ...FILES, tools: "full" })).join("");
  assert.deepEqual(full.match(/^file \d{4} x+\.ts/gm), names);
  assert.deepEqual(full.match(/(?<=^ {2}\+)line \d+$/gm), long);
});
