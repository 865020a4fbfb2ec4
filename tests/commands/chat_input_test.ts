/** The keyboard of a chat: lines, pasting, history, what is typed meanwhile, keys that stop. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore } from "../../mod.ts";
import { CliHome } from "../_support/cli_home.ts";
import { ModelServer } from "../_support/model_servers.ts";
import {
  inOrder,
  lastSession,
  openChat,
  rebuilt,
  shownLines,
  type,
  WAITING,
} from "./_chat_terminal.ts";
import { HAS_TERMINAL } from "./_terminal.ts";

const ignore = !HAS_TERMINAL;

/** What the user said in the session that was updated last. */
async function prompts(home: CliHome): Promise<unknown[]> {
  const { messages } = await openStore({ root: home.store }).load(await lastSession(home));
  return messages.filter(({ role }) => role === "user").map(({ content }) => content);
}

Deno.test({
  name: "pasted lines are one message, a backslash goes on, and arrows bring lines back",
  ignore,
  async fn(): Promise<void> {
    await using home = new CliHome();
    await using terminal = await openChat(home, undefined, ["--model", "mock"]);
    await terminal.until(WAITING);
    await terminal.paste("first pasted\nsecond pasted\n  third");
    await terminal.until(/first pasted.*second pasted.*third/);
    await terminal.press("-l", " and typed");
    await terminal.press("Enter");
    await terminal.until(/You said: first pasted\s+second pasted\s+third and typed[^]*^>\s*$/m);
    await type(terminal, "one\\");
    await terminal.until(/^…\s*$/m);
    await type(terminal, "two");
    await terminal.until(/You said: one\s+two[^]*^>\s*$/m);
    await terminal.press("Up");
    await terminal.until(/^> two/m);
    await terminal.press("Up");
    await terminal.press("Up");
    await terminal.until(/^> first pasted/m);
    await terminal.press("-l", " again");
    await terminal.press("Enter");
    await terminal.until(
      /You said: first pasted\s+second pasted\s+third and typed again[^]*^>\s*$/m,
    );
    const pasted = "first pasted\nsecond pasted\n  third and typed";
    assert.deepEqual(await prompts(home), [pasted, "one\ntwo", `${pasted} again`]);
  },
});

Deno.test({
  name: "a paste that the terminal hands over in many pieces is one message",
  ignore,
  async fn(): Promise<void> {
    await using home = new CliHome();
    await using terminal = await openChat(home, undefined, ["--model", "mock"]);
    await terminal.until(WAITING);
    // A terminal hands over some 4 KiB at once.
    const pasted = Array.from({ length: 400 }, (_, at) => `pasted-line-as-one-word-${at}`).join(
      "\n",
    );
    await terminal.paste(pasted);
    await terminal.until(/word-399/);
    await terminal.press("-l", " and typed");
    await terminal.press("Enter");
    await terminal.until(/You said: pasted[^]*word-399 and typed[^]*^>\s*$/m);
    assert.deepEqual(await prompts(home), [`${pasted} and typed`]);
  },
});

Deno.test({
  name: "what is typed during a turn waits for the next line, and Esc stops a turn",
  ignore,
  async fn(): Promise<void> {
    await using home = new CliHome();
    await using server = new ModelServer("openai", [
      { text: "slow words that take their time", delay_ms: 200 },
      { text: "Second answer." },
      { text: "endless words that take their time", delay_ms: 300 },
      { text: "Fourth answer." },
    ]);
    await using terminal = await openChat(home, server);
    await terminal.until(WAITING);
    await type(terminal, "First");
    await terminal.until(/slow words/);
    await type(terminal, "Typed meanwhile");
    await terminal.press("-l", "and a beginning");
    await terminal.until(
      /slow words that take their time[^]*Second answer\.[^]*^> and a beginning/m,
    );
    await terminal.press("Enter");
    await terminal.until(/endless words/);
    await terminal.press("Escape");
    await terminal.until(/✗ interrupted[^]*^>\s*$/m);
    await type(terminal, "Go on");
    await terminal.until(/Fourth answer\.[^]*^>\s*$/m);
    // Two prompts with nothing kept between them would be joined; here each has its answer.
    assert.deepEqual(await prompts(home), ["First", "Typed meanwhile", "and a beginning", "Go on"]);
    const id = await lastSession(home);
    assert.deepEqual(inOrder(await terminal.screen(), await shownLines(home, id)), []);
  },
});

for (const [key, name] of [["C-c", "^C"], ["Escape", "Esc"]] as const) {
  Deno.test({
    name: `${name} where a call is to be allowed ends the turn, and makes no call`,
    ignore,
    async fn(): Promise<void> {
      await using home = new CliHome();
      const call = (id: string): { id: string; name: string; input: unknown } => ({
        id,
        name: "bash",
        input: { command: `touch made-${id}` },
      });
      await using server = new ModelServer("openai", [
        { text: "Two calls.", calls: [call("c1"), call("c2")] },
        { text: "Well then." },
      ]);
      await using terminal = await openChat(home, server);
      await terminal.until(WAITING);
      await type(terminal, "Go");
      await terminal.until(/touch made-c1[^]*Allow\?/);
      await terminal.press(key);
      await terminal.until(/✗ [^\n]*nterrupted[^]*^>\s*$/m);
      assert.equal(server.asked.length, 1, "the turn has ended");
      assert.deepEqual([...Deno.readDirSync(home.work)], []);
      await type(terminal, "And now?");
      await terminal.until(/Well then\.[^]*^>\s*$/m);
      const all = await rebuilt(home, await lastSession(home), "openai");
      assert.match(JSON.stringify(all), /Interrupted by the user/);
      assert.equal(all.length, 6);
    },
  });
}

Deno.test({
  name: "thirty columns, wide characters in the prompt, and a question longer than the screen",
  ignore,
  async fn(): Promise<void> {
    await using home = new CliHome();
    const command = Array.from({ length: 30 }, (_, at) => `echo step ${at} >> steps`).join("\n");
    await using server = new ModelServer("openai", [
      { text: "日本語の返事です。".repeat(8) },
      { calls: [{ id: "c", name: "bash", input: { command } }] },
      { text: "All done." },
    ]);
    await using terminal = await openChat(home, server, [], { columns: 30, rows: 14 });
    await terminal.until(WAITING);
    const prompt = "これは日本語の長い質問です、二行になります";
    await type(terminal, prompt);
    await terminal.until(/返事です[^]*^>\s*$/m);
    const screen = await terminal.screen("-J");
    assert.equal(screen.match(/これは/g)?.length, 1, screen);
    await type(terminal, "Many steps");
    const question = await terminal.until(/step 29 [^]*Allow\?/);
    assert.match(question, /echo step 0 [^]*echo step 15 [^]*echo step 29 /, "all of it is seen");
    await terminal.press("y");
    await terminal.until(/All done\.[^]*^>\s*$/m);
    assert.equal((await Deno.readTextFile(join(home.work, "steps"))).split("\n").length, 31);
    const id = await lastSession(home);
    assert.deepEqual((await prompts(home))[0], prompt);
    assert.equal((await openStore({ root: home.store }).load(id)).messages.length, 6);
  },
});
