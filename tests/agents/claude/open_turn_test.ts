/** Which ends of a Claude Code session leave a turn open. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadAgent } from "../../../lib/library/machine/registry.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

type Fields = Record<string, unknown>;

const ID = "c0ffee00-0000-4000-8000-000000000009";
const FILLING = "x".repeat(4000);

const text = (words: string): Fields => ({ type: "text", text: words });
const user = (content: unknown, more: Fields = {}): Fields => ({
  type: "user",
  message: { role: "user", content },
  ...more,
});
let responses = 0;
const assistant = (...content: Fields[]): Fields => ({
  type: "assistant",
  message: { role: "assistant", id: `m${responses++}`, model: "m", content },
});
const CALL = { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } };
const RESULT = { type: "tool_result", tool_use_id: "t1", content: "a.ts" };
const PROMPT = user("Do it");
const ANSWER = assistant(text("Done"));

const ENDS: [name: string, records: Fields[], open: boolean][] = [
  ["an answer", [PROMPT, ANSWER], false],
  ["a prompt", [PROMPT, ANSWER, PROMPT], true],
  ["an open call", [PROMPT, assistant(text("Look")), assistant(CALL)], true],
  ["a result", [PROMPT, assistant(CALL), user([RESULT])], true],
  [
    "an answer to a result",
    [PROMPT, assistant(CALL), user([RESULT]), assistant(text("Done"))],
    false,
  ],
  ["a thought", [PROMPT, assistant({ type: "thinking", thinking: "Hm" })], true],
  ["an interruption", [PROMPT, user([text("[Request interrupted by user]")])], true],
  ["a local command", [
    PROMPT,
    ANSWER,
    user("<command-name>/cost</command-name>"),
    user("<local-command-stdout>$1</local-command-stdout>"),
  ], false],
  ["a note to the model", [PROMPT, ANSWER, user("Caveat", { isMeta: true })], false],
  ["a system record", [PROMPT, ANSWER, { type: "system", subtype: "turn_duration" }], false],
];

/** The lines of a session: each record follows the one before it. */
function linesOf(records: readonly Fields[], spaced: boolean): string {
  const lines = records.map((record, at) => {
    const uuid = (index: number): string => `${ID.slice(0, -4)}${`000${index}`.slice(-4)}`;
    const base = { parentUuid: at === 0 ? null : uuid(at - 1), isSidechain: false };
    const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();
    const whole = { ...base, ...record, uuid: uuid(at), timestamp, sessionId: ID, cwd: "/w" };
    return spaced ? JSON.stringify(whole, null, 1).replaceAll("\n", "") : JSON.stringify(whole);
  });
  return [...lines, '{"type":"mode","mode":"normal"}', ""].join("\n");
}

// Slow: each end is written in two ways, behind nothing and behind a long talk.
inDirectory.test("a Claude Code session is interrupted where its last turn was left open", async (directory) => {
  const agent = await loadAgent("claude");
  const long = Array.from(
    { length: 60 },
    (_, at) => at % 2 === 0 ? user(FILLING) : assistant(text(FILLING)),
  );
  const path = join(directory, `${ID}.jsonl`);
  for (const [name, records, open] of ENDS) {
    for (const before of [[], long]) {
      for (const spaced of [false, true]) {
        Deno.writeTextFileSync(path, linesOf([...before, ...records], spaced));
        for (const exact of [false, true]) {
          const row = await agent.open({ agent: "claude", id: ID, path }).summarize({ exact });
          const says = `${name}, ${before.length} before, spaced ${spaced}, exact ${exact}`;
          assert.equal(row?.status, open ? "interrupted" : "idle", says);
        }
      }
    }
  }
});
