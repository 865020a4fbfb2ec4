/** A chat that is killed: what it had kept is what the resumed one shows and sends. */
import { eventually } from "../../_support/eventually.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  NOT_RUN_OUTPUT,
  UNSETTLED_OUTPUT,
} from "../../../lib/core/projection/conversation/paired_messages.ts";
import type { TranscriptItem } from "../../../mod.ts";
import { Chat } from "../../../lib/features/chat/chat.ts";
import type { Chatting } from "../../_support/children/chat_child.ts";
import type { Script } from "../../_support/model_servers.ts";
import { Child } from "../../_support/processes.ts";
import { conversationOf, DIALECTS, requestAfter, type Scene, withScene } from "./_chatting.ts";

/** Starts a chat in a process of its own, and kills it when it says what is waited for. */
async function killAt(
  { server, store, work }: Scene,
  prompts: string[],
  at: RegExp,
  ready: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  const { dialect, url } = server;
  const script: Chatting = { root: store.root, cwd: work, dialect, url, prompts };
  await using child = new Child("chat_child", [JSON.stringify(script)]);
  const said: string[] = [];
  for (let line = await child.line(); line !== undefined; line = await child.line()) {
    said.push(line);
    if (at.test(line)) break;
  }
  assert.match(said.at(-1) ?? "", at);
  await ready();
  child.kill("SIGKILL");
  return said;
}

/** The resumed chat's next request, what the log alone says it should be, and what it showed. */
async function resume(
  { store, options, server }: Scene,
): Promise<{ sent: unknown; expected: unknown; shown: TranscriptItem[] }> {
  const [row] = await store.list();
  assert.ok(row !== undefined);
  assert.equal(row.status, "interrupted");
  const expected = await requestAfter(row.path, "go on", server.dialect);
  const chat = await Chat.resume(row.ref, options);
  const shown = await Array.fromAsync(chat.transcript());
  assert.equal(await chat.submit("go on"), "completed");
  await chat.close();
  return { sent: conversationOf(server.bodies.at(-1)), expected, shown };
}

for (const dialect of DIALECTS) {
  Deno.test(`killed in mid-stream, the prompt is there and no fragment (${dialect})`, async () => {
    const slow = {
      text: "one two three four five six seven eight nine ten",
      holds_after: ["three"],
    };
    await withScene(dialect, [{ text: "First." }, slow], async (scene) => {
      await killAt(scene, ["hello", "count"], /^text three$/);
      const { sent, expected, shown } = await resume(scene);
      assert.deepEqual(sent, expected);
      assert.match(JSON.stringify(sent), /First\..*count.*go on/);
      assert.doesNotMatch(JSON.stringify(sent), /two/);
      const texts = shown.flatMap((item) => item.type === "message" ? [item.content] : []);
      assert.deepEqual(texts, ["hello", "First.", "count"]);
    });
  });

  Deno.test(`killed in mid-tool, every call is there and the model is told which ones did not end (${dialect})`, async () => {
    const script: Script = [{
      text: "I run it.",
      calls: [
        { id: "c1", name: "bash", input: { command: "echo done" } },
        { id: "c2", name: "bash", input: { command: "echo $$ > pid; exec sleep 60" } },
        { id: "c3", name: "read", input: { path: "x" } },
      ],
    }];
    await withScene(dialect, script, async (scene) => {
      let pid = 0;
      const said = await killAt(scene, ["run"], /^item bash$/, async () => {
        pid = await readPid(join(scene.work, "pid"));
      });
      assert.ok(said.includes("text run"));
      const { sent, expected, shown } = await resume(scene);
      Deno.kill(pid, "SIGKILL");
      assert.deepEqual(sent, expected);
      const request = JSON.stringify(sent);
      for (const id of ["c1", "c2", "c3"]) assert.ok(request.includes(`"${id}"`), id);
      assert.equal(request.split(UNSETTLED_OUTPUT).length, 2, "the second began and did not end");
      assert.equal(request.split(NOT_RUN_OUTPUT).length, 2, "the third did not begin");
      const states = shown.flatMap((item) => item.type === "bash" ? [item.status] : []);
      assert.deepEqual(states, ["ok", "unsettled"]);
    });
  });
}

/** The id that a command leaves, which may outlive its chat. */
async function readPid(path: string): Promise<number> {
  const text = await eventually(async () => {
    const text = await Deno.readTextFile(path).catch(() => "");
    return text.endsWith("\n") && text;
  });
  return Number(text);
}
