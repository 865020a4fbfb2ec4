/**
 * A chat of many turns: what becomes of its conversation. What memory it takes is measured where it
 * counts, in the executable: `tests/commands/chat_memory_test.ts`.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Chatting } from "../_support/children/chat_child.ts";
import type { Answer, RequestBody } from "../_support/model_servers.ts";
import { FULL_SIZE } from "../_support/full_size.ts";
import { Child } from "../_support/processes.ts";
import { kindsIn, withScene } from "./_chatting.ts";

const TURNS = FULL_SIZE ? 200 : 12;
const CONTEXT_LIMIT = TURNS * 500;

/** A call in every turn, then a long answer; a summary where no tools are offered. */
function longAnswer({ tools, messages }: RequestBody): Answer {
  if (tools === undefined) return { text: "Many prompts, each answered." };
  if (messages.at(-1)?.role === "tool") return { text: `It says data. ${"word ".repeat(200)}` };
  return { calls: [{ id: "c", name: "read", input: { path: "data.txt" } }] };
}

// Slow: a process has a chat with a compaction.
// The context window shrinks with the number of turns, so that the chat is compacted all the same.
Deno.test("many turns with calls and long answers are all kept, and stay in the window", async () => {
  const script = Array<typeof longAnswer>(3 * TURNS).fill(longAnswer);
  await withScene("openai", script, async ({ server, store, work }) => {
    await Deno.writeTextFile(join(work, "data.txt"), "line of data\n".repeat(100));
    const prompts = Array.from({ length: TURNS }, (_, index) => `Prompt ${index}`);
    const { dialect, url } = server;
    const place = { root: store.root, cwd: work, dialect, url };
    const chatting: Chatting = { ...place, prompts, context_limit: CONTEXT_LIMIT };
    await using child = new Child("chat_child", [JSON.stringify(chatting)]);
    const said = await child.rest();
    assert.equal(said.filter((line) => line === "end completed").length, TURNS);

    const [row] = await store.list();
    assert.equal(row?.turn_count, TURNS);
    const kinds = await kindsIn(row?.path ?? "");
    assert.equal(kinds.filter((kind) => kind === "tool_end").length, TURNS);
    assert.ok(kinds.includes("compaction_applied"));
    const longest = Math.max(...server.bodies.map((body) => JSON.stringify(body).length / 4));
    assert.ok(longest > CONTEXT_LIMIT / 2 && longest < CONTEXT_LIMIT, `${longest} tokens`);
  });
});
