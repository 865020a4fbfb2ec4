/** The memory that a long chat takes: of the executable, at a terminal, at its peak. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore } from "../../mod.ts";
import { CliHome } from "../_support/cli_home.ts";
import { type Answer, ModelServer, type RequestBody } from "../_support/model_servers.ts";
import { chatPid, readyChat, type } from "./_chat_terminal.ts";
import { TERMINAL } from "./_terminal.ts";
import { LINUX, needing } from "../_support/needing.ts";
import { EXECUTABLE } from "../_support/cli.ts";

const TURNS = 200;
const MOST_MIB = 160;

// What `deno run` takes for itself says nothing of the program.

const CODE = Array.from({ length: 40 }, (_, at) => `export const step${at} = (n: number) => n;`);

/** Returns the server's answers: calls with long outputs, then some kilobytes of Markdown. */
function scripted(turn: number): (body: RequestBody) => Answer {
  return ({ tools, messages }) => {
    if (tools === undefined) return { text: `The summary. ${"Words of it. ".repeat(100)}` };
    if (messages.at(-1)?.role === "tool") {
      const code = turn % 3 === 0 ? `\n\`\`\`ts\n${CODE.join("\n")}\n\`\`\`\n` : "";
      const text = "Some **words** of a paragraph with `code` in it. ".repeat(30);
      return { text: `## Result\n\n${text}\n${code}\n- one\n- two\n\nThis was answer ${turn}.` };
    }
    const bash = { id: `b${turn}`, name: "bash", input: { command: "cat data.txt" } };
    const read = { id: `r${turn}`, name: "read", input: { path: "data.txt" } };
    const content = `line ${turn}\n`.repeat(60);
    const write = { id: `w${turn}`, name: "write", input: { path: "made.txt", content } };
    return { text: "Let me look.", calls: turn % 2 === 0 ? [read, write] : [bash] };
  };
}

/** Steps through the requests: a turn has two, and a compaction one more. */
function script(): (body: RequestBody) => Answer {
  let turn = 0;
  return (body) => {
    const is_prompt = body.tools !== undefined && body.messages.at(-1)?.role === "user";
    if (is_prompt) turn++;
    return scripted(turn)(body);
  };
}

Deno.test({
  ...needing(
    `${TURNS} turns with calls and compactions stay under ${MOST_MIB} MiB at their peak`,
    TERMINAL,
    LINUX,
    EXECUTABLE,
  ),
  async fn(): Promise<void> {
    await using home = new CliHome();
    const lines = Array.from({ length: 500 }, (_, at) => `line ${at} ${"of some data ".repeat(4)}`);
    await Deno.writeTextFile(join(home.work, "data.txt"), lines.join("\n"));
    await using server = new ModelServer("openai", Array(4 * TURNS).fill(script()));
    await using terminal = await readyChat(home, server, ["--yes"]);
    for (let turn = 1; turn <= TURNS; turn++) {
      await type(terminal, `Prompt ${turn}: please look at the data`);
      await terminal.until(new RegExp(`This was answer ${turn}\\.[^]*^>\\s*$`, "m"), "visible");
      server.asked.length = 0;
    }
    const status = await Deno.readTextFile(`/proc/${await chatPid(home)}/status`);
    const peak = Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
    await type(terminal, "/quit");
    await terminal.until(/status=0/);
    const [last] = await openStore({ root: home.store }).list();
    assert.equal(last?.turn_count, TURNS);
    const log = await Deno.readTextFile(last?.path ?? "");
    assert.ok(log.includes('"kind":"compaction_applied"') && log.length > 4_000_000);
    assert.ok(peak > 0 && peak < MOST_MIB, `${Math.round(peak)} MiB`);
  },
});
