/** Which ends of a Codex thread leave a turn open. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadAgent } from "../../../lib/library/machine/registry.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

type Fields = Record<string, unknown>;

const ID = "0199aaaa-0000-7000-8000-000000000009";

const event = (type: string, more: Fields = {}): Fields => ({
  type: "event_msg",
  payload: { type, ...more },
});
const item = (type: string, more: Fields = {}): Fields => ({
  type: "response_item",
  payload: { type, ...more },
});
const said = (role: string, text: string, more: Fields = {}): Fields =>
  item("message", {
    ...{ role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] },
    ...more,
  });
const PROMPT = said("user", "Do it");
const ANSWER = said("assistant", "Done");
const CALL = item("function_call", { name: "shell", call_id: "c1", arguments: "{}" });
const OUTPUT = item("function_call_output", { call_id: "c1", output: "a.ts" });
const STARTED = event("task_started", { turn_id: "t1" });
const COMPLETE = event("task_complete", { turn_id: "t1" });

const ENDS: [name: string, records: Fields[], open: boolean | "failed"][] = [
  ["an answer", [PROMPT, ANSWER], false],
  ["a prompt", [PROMPT], true],
  ["an open call", [PROMPT, CALL], true],
  ["an output", [PROMPT, CALL, OUTPUT], true],
  ["an answer before its mark", [STARTED, PROMPT, CALL, OUTPUT, ANSWER], true],
  ["the mark of its end", [STARTED, PROMPT, ANSWER, COMPLETE], false],
  ["the mark behind an open call", [STARTED, PROMPT, CALL, COMPLETE], false],
  ["an abort", [STARTED, PROMPT, CALL, event("turn_aborted", { reason: "interrupted" })], true],
  ["a comment", [PROMPT, said("assistant", "Looking", { phase: "commentary" })], true],
  ["an error", [PROMPT, event("error", { message: "no quota" })], "failed"],
  ["the context of a turn", [
    PROMPT,
    ANSWER,
    said("user", "<environment_context>\n</environment_context>"),
  ], false],
  ["a rollback", [PROMPT, event("thread_rolled_back", { num_turns: 1 })], false],
];

function linesOf(records: readonly Fields[], spaced: boolean): string {
  const lines = records.map((record, at) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();
    const whole = { timestamp, ...record };
    return spaced ? JSON.stringify(whole, null, 1).replaceAll("\n", "") : JSON.stringify(whole);
  });
  return [...lines, ""].join("\n");
}

inDirectory.test("a Codex thread is interrupted where its last turn was left open", async (directory) => {
  const agent = await loadAgent("codex");
  const meta = { type: "session_meta", payload: { id: ID, cwd: "/w", cli_version: "0.169.0" } };
  const filling = "x".repeat(4000);
  const long = Array.from({ length: 30 }, () => [said("user", filling), ANSWER, COMPLETE]).flat();
  const path = join(directory, `rollout-2026-01-01T00-00-00-${ID}.jsonl`);
  for (const [name, records, open] of ENDS) {
    for (const before of [[], long]) {
      for (const spaced of [false, true]) {
        Deno.writeTextFileSync(path, linesOf([meta, ...before, ...records], spaced));
        for (const exact of [false, true]) {
          const row = await agent.open({ agent: "codex", id: ID, path }).summarize({ exact });
          const says = `${name}, ${before.length} before, spaced ${spaced}, exact ${exact}`;
          const expected = open === "failed" ? open : open ? "interrupted" : "idle";
          assert.equal(row?.status, expected, says);
        }
      }
    }
  }
});
