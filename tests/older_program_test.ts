/**
 * The answers of a program of before responses were one event (commit 62dd9e3) about logs that hold
 * such responses. Decision 50 describes them. The answers are kept in `older_program.json`.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { KnownEvent } from "../lib/event/envelope.ts";
import type { Message, Part } from "../lib/event/message.ts";
import { openedCalls, startedCall } from "../lib/event/opened_calls.ts";
import { loadConversation } from "../lib/session/load_session.ts";
import { readNow } from "./_support/log_bytes.ts";
import answers from "./older_program.json" with { type: "json" };

const UNANSWERED = "No result was recorded: the call did not finish.";

function partsOf({ content }: Message): Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function withoutResults(messages: readonly Message[]): Part[][] {
  return messages.filter(({ role }) => role !== "tool").map(partsOf);
}

for (const [name, answer] of Object.entries(answers)) {
  const path = fileURLToPath(new URL(`../testdata/logs/${name}.jsonl`, import.meta.url));
  const bytes = Deno.readFileSync(path);
  const events = readNow(bytes).events as KnownEvent[];

  Deno.test(`an older program answered about ${name}.jsonl as it is now`, () => {
    assert.equal(createHash("sha256").update(bytes).digest("hex"), answer.sha256);
  });

  Deno.test(`an older program reports the starts and ends of declared calls in ${name}`, () => {
    const lines = answer.verify.slice(0, -1);
    const starts = events.filter((event) => startedCall(event) !== undefined);
    const ends = events.filter(({ kind }) => kind === "tool_end" || kind === "bash_end");
    assert.ok(starts.length > 0);
    assert.deepEqual(
      lines.map((line) => line.replace(/^line (\d+), .*?: ([a-z-]+): .*$/, "$1 $2")),
      [
        ...starts.map(({ seq }) => `${seq} invalid-payload`),
        ...ends.map(({ seq }) => `${seq} orphan-settlement`),
      ],
    );
    assert.match(answer.verify.at(-1) ?? "", /^whole: /);
  });

  Deno.test(`an older program makes up no message, call or output of ${name}`, async () => {
    const older = answer.conversation as Message[];
    const { messages } = await loadConversation(path);
    assert.deepEqual(withoutResults(older), withoutResults(messages));
    const results = older.filter(({ role }) => role === "tool").flatMap(partsOf);
    const calls = events.flatMap(openedCalls);
    assert.ok(calls.length > 0);
    assert.deepEqual(
      results,
      calls.map(({ call_id, name }) => ({
        ...{ type: "tool_result", call_id, name, status: "error", output: UNANSWERED },
      })),
    );
  });
}
