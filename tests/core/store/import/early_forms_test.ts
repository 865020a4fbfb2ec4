/** Logs of before the first release: an import brings them to the forms of FORMAT.md. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { inHome } from "../../../_support/cli_home.ts";

const ID = "e967b7e1-c208-4378-9d53-0aa766de1449";
const CREATED = "2026-11-24T14:33:19.000Z";

const EARLY: readonly [kind: string, payload: object][] = [
  ["session_started", { session_id: ID, created_at: CREATED, cwd: "/work" }],
  ["user_message", { content: "Read a", told: "Read a, please" }],
  ["tool_start", { call_id: "c1", name: "read_file", input: { path: "a" } }],
  ["tool_end", { call_id: "c1", name: "read_file", status: "ok", output: "short", told: "long" }],
  ["bash_start", { call_id: "c2", command: "ls", origin: "model" }],
  ["bash_end", { call_id: "c2", command: "ls", output: "a", status: "ok" }],
  ["assistant_message", { content: "Done." }],
];

inHome.test("an import brings calls and told texts of an early log to today's forms", async (home) => {
  const path = join(home.path, "early.jsonl");
  const lines = EARLY.map(([kind, payload], index) =>
    `${JSON.stringify({ v: 1, seq: index + 1, kind, time: CREATED, payload })}\n`
  );
  Deno.writeTextFileSync(path, lines.join(""));
  const { stdout } = await home.succeed(["import", path]);
  const id = stdout.trim();
  const { stdout: printed } = await home.run(["conversation", id]);
  const messages: { role: string; content: unknown }[] = JSON.parse(printed);
  assert.deepEqual(messages.map(({ role }) => role), [
    "user",
    "assistant",
    "tool",
    "assistant",
    "tool",
    "assistant",
  ]);
  const whole = JSON.stringify(messages);
  assert.match(whole, /Read a, please/);
  assert.match(whole, /"name":"read_file","input":\{"path":"a"\}/);
  assert.match(whole, /"output":"long"|"text":"long"/);
  assert.match(whole, /"name":"bash","input":\{"command":"ls"\}/);
  assert.doesNotMatch(whole, /short/);
  const shown = (await home.run(["show", id])).stdout;
  assert.match(shown, /Read a\n/);
  assert.match(shown, /short/);
  assert.equal((await home.run(["doctor", id])).status, 0);
});
