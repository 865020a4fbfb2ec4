/** What the model gets of the calls that a session made before it was resumed. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadConversation } from "../../../lib/core/store/load_session.ts";
import { toMessages } from "../../../mod.ts";
import { Chat } from "../../../lib/features/chat/chat.ts";
import type { RequestBody } from "../../_support/model_servers.ts";
import { DIALECTS, logOf, withScene } from "./_chatting.ts";

/** Messages of a request, without the instructions. */
function sent(body: RequestBody | undefined): unknown[] {
  return (body?.messages ?? []).filter(({ role }) => role !== "system");
}

for (const dialect of DIALECTS) {
  Deno.test(`without past calls a resumed chat gets texts, and its own calls (${dialect})`, async () => {
    const call = (id: string): { id: string; name: string; input: unknown } => ({
      id,
      name: "read",
      input: { path: `${id}.txt` },
    });
    const script = [
      { text: "I look.", calls: [call("before")] },
      { text: "It says old." },
      { calls: [call("silent")] },
      { text: "Done." },
    ];
    await withScene(dialect, script, async ({ options, server, work }) => {
      for (const id of ["before", "silent", "after"]) {
        await Deno.writeTextFile(join(work, `${id}.txt`), `content ${id}\n`);
      }
      const first = await Chat.start(options);
      await first.submit("one");
      await first.submit("two");
      const { session_id = "" } = first.status();
      await first.close();
      const texts = (await loadConversation(logOf(first), { tools: "omit" })).messages;
      assert.deepEqual(texts.map(({ role, content }) => [role, content]), [
        ["user", "one"],
        ["assistant", "I look."],
        ["assistant", "It says old."],
        ["user", "two"],
        ["assistant", "Done."],
      ]);

      server.then_answer({ calls: [call("after")] }, { text: "It says new." });
      const again = await Chat.resume(session_id, { ...options, past_calls: "omit" });
      assert.deepEqual(again.messages(), texts);
      await again.submit("three");
      const messages = again.messages();
      await again.close();
      const [asked, with_result] = server.bodies.slice(-2).map(sent);
      const prompt = { role: "user" as const, content: "three" };
      const shaped: unknown = toMessages([...texts, prompt], dialect).messages;
      assert.deepEqual(asked, JSON.parse(JSON.stringify(shaped)));
      assert.doesNotMatch(JSON.stringify(with_result), /content before|content silent/);
      assert.match(JSON.stringify(with_result), /content after/);
      assert.equal(messages.length, texts.length + 4);

      const whole = await Chat.resume(session_id, options);
      assert.match(JSON.stringify(whole.messages()), /content before[^]*content after/);
      await whole.close();
    });
  });
}
