/** ^C, broken streams and servers that fail: what was shown is kept, and the chat goes on. */
import { eventually } from "../../_support/eventually.ts";
import assert from "node:assert/strict";
import { outputText } from "../../../lib/core/event/audience.ts";
import { Chat } from "../../../lib/features/chat/chat.ts";
import type { TurnEnd } from "../../../lib/features/chat/chat_options.ts";
import { conversationOf, kindsIn, logOf, requestAfter, withScene } from "./_chatting.ts";
import { assertGone, isRunning } from "./_processes.ts";

/** The kinds of a log's turns, without head, snapshots and end. */
async function turnsIn(path: string): Promise<string[]> {
  const around = new Set(["session_started", "workspace_snapshot", "session_closed"]);
  return (await kindsIn(path)).filter((kind) => !around.has(kind));
}

Deno.test({
  name: "^C before the first word says so, and so does ^C while it waits to try again",
  // Deno 2.7.11 forgets the body of an answer whose head comes in the moment of the abort.
  sanitizeResources: false,
  async fn(): Promise<void> {
    const wait = { status: 503, headers: { "retry-after": "30" } };
    await withScene("openai", [{ broken: "silent" }, wait], async ({ options, screen, server }) => {
      const chat = await Chat.start(options);
      const stopped = async (when: () => boolean): Promise<TurnEnd> => {
        const stop = new AbortController();
        const turn = chat.submit("go", { signal: stop.signal });
        await eventually(when);
        stop.abort();
        return await turn;
      };
      assert.equal(await stopped(() => server.asked.length === 1), "cancelled");
      assert.equal(await stopped(() => screen.codes().includes("retrying")), "cancelled");
      const path = logOf(chat);
      assert.deepEqual(await turnsIn(path), [
        "user_message",
        "turn_failed",
        "user_message",
        "turn_failed",
      ]);
      assert.ok(
        screen.items.every((item) => item.type !== "failure" || item.reason === "cancelled"),
      );
      await chat.close();
    });
  },
});

Deno.test("^C in a command ends all that it started, and settles every call of the response", async () => {
  const calls = [
    { id: "1", name: "bash", input: { command: "sleep 300 & echo begun $$ $!; sleep 300" } },
    { id: "2", name: "read", input: { path: "x" } },
  ];
  await withScene("anthropic", [{ calls }], async ({ options, screen, server }) => {
    const stop = new AbortController();
    let ran = false;
    const onOutput = (_call_id: string, text: string): void => {
      ran = text.trim().split(" ").slice(1).every((pid) => isRunning(Number(pid)));
      stop.abort();
    };
    const view = { ...options.view, onOutput };
    const chat = await Chat.start({ ...options, view });
    assert.equal(await chat.submit("go", { signal: stop.signal }), "cancelled");
    assert.ok(ran, "both ran when they were interrupted");
    const path = logOf(chat);
    assert.deepEqual(await turnsIn(path), [
      "user_message",
      "assistant_message",
      "bash_start",
      "bash_end",
      // Its call never began.
      "tool_end",
      "turn_failed",
    ]);
    const [, bash, tool] = screen.items;
    assert.ok(bash?.type === "bash" && bash.status === "interrupted");
    const [, ...pids] = outputText(bash.output ?? "").trim().split(" ");
    assert.match(outputText(bash.output ?? ""), /^begun \d+ \d+\n$/);
    for (const pid of pids) await assertGone(Number(pid));
    assert.ok(tool?.type === "tool" && tool.status === "interrupted");
    const expected = await requestAfter(path, "next", "anthropic");
    await chat.submit("next");
    assert.deepEqual(conversationOf(server.bodies[1]), expected);
    await chat.close();
  });
});

Deno.test("^C while the user is asked settles the call as interrupted", async () => {
  const calls = [{ id: "1", name: "bash", input: { command: "echo never" } }];
  await withScene("openai", [{ calls }], async ({ options, screen }) => {
    const stop = new AbortController();
    let asked: string[] = [];
    const permit = async (): Promise<"yes"> => {
      asked = await turnsIn(logOf(chat));
      stop.abort();
      return await new Promise(() => {/* never answered */});
    };
    const chat = await Chat.start({ ...options, permit });
    assert.equal(await chat.submit("go", { signal: stop.signal }), "cancelled");
    await chat.close();
    // Who looks at the log meanwhile sees that the call has not begun.
    assert.deepEqual(asked, ["user_message", "assistant_message"]);
    const [, bash] = screen.items;
    assert.ok(bash?.type === "bash" && bash.status === "interrupted");
    assert.equal(bash.output, undefined);
  });
});
