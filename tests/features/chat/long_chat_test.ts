/**
 * A chat of many turns: what becomes of its conversation. What memory it takes is measured where it
 * counts, in the executable: `tests/commands/chat_memory_test.ts`.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { Chat } from "../../../lib/features/chat/chat.ts";
import type { Answer, RequestBody } from "../../_support/model_servers.ts";
import { atFullSize } from "../../_support/full_size.ts";
import { clientOf, kindsIn, withScene } from "./_chatting.ts";

/** A call in every turn, then a long answer; a summary where no tools are offered. */
function longAnswer({ tools, messages }: RequestBody): Answer {
  if (tools === undefined) return { text: "Many prompts, each answered." };
  if (messages.at(-1)?.role === "tool") return { text: `It says data. ${"word ".repeat(200)}` };
  return { calls: [{ id: "c", name: "read", input: { path: "data.txt" } }] };
}

/** Holds a chat that fills its window, whatever it has room for. */
async function assertKept(turns: number): Promise<void> {
  const script = Array<typeof longAnswer>(3 * turns).fill(longAnswer);
  const limit = turns * 500;
  await withScene("openai", script, async ({ server, store, work, options }) => {
    await Deno.writeTextFile(join(work, "data.txt"), "line of data\n".repeat(100));
    const model = clientOf(server, undefined, limit);
    const chat = await Chat.start({ ...options, model });
    for (let index = 0; index < turns; index++) {
      assert.equal(await chat.submit(`Prompt ${index}`), "completed");
    }
    await chat.close();

    const [row] = await store.list();
    assert.equal(row?.turn_count, turns);
    const kinds = await kindsIn(row?.path ?? "");
    assert.equal(kinds.filter((kind) => kind === "tool_end").length, turns);
    assert.ok(kinds.includes("compaction_applied"));
    const longest = Math.max(...server.bodies.map((body) => JSON.stringify(body).length / 4));
    assert.ok(longest > limit / 2 && longest < limit, `${longest} tokens`);
  });
}

const NAME = "turns with calls and long answers are all kept, and stay in the window";

// Slow: each of many turns sends requests.
Deno.test(`12 ${NAME}`, () => assertKept(12));

// A window of usual size takes so many.
Deno.test({ ...atFullSize(`200 ${NAME}`), fn: () => assertKept(200) });
