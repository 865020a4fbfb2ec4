/** Hostile models, servers, commands and logs cannot take over a chat's terminal. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { sessionId } from "../_support/cli_home.ts";
import { ModelServer } from "../_support/model_servers.ts";
import { isHarmless } from "../text/render/_harmless.ts";
import { openChat, readyChat, type, WAITING } from "./_chat_terminal.ts";
import { HOSTILE, hostileLog } from "./_hostile.ts";
import { atTerminal } from "./_terminal.ts";

/** The control sequences of the chat itself: colour, live rows, pasting, the cursor. */
// deno-lint-ignore no-control-regex
const OWN = /\x1b\[(?:[0-9;]*m|\?2026[hl]|\?2004[hl]|\d*[AG]|0?J)/g;

/** Removes lines of a newer version, which are refused. */
function withoutNewerLines(log: Uint8Array): Uint8Array {
  const lines = new TextDecoder().decode(log).split("\n");
  return new TextEncoder().encode(lines.filter((line) => !line.includes('"v":99')).join("\n"));
}

function assertOwnAlone(raw: string): void {
  const bad = raw.replaceAll(OWN, "").split(/\r?\n/).map((line) => line.replaceAll("\r", ""))
    .find((line) => !isHarmless(line));
  assert.equal(bad, undefined, JSON.stringify(bad));
  assert.ok(!raw.includes("\x1b[31mred"), "a colour that is not ours");
  assert.match(raw, /␛\[2J␛\[H/, "it is shown, not dropped");
}

atTerminal.test("hostile text of a model, its calls, its server and a command is shown, not obeyed", async (home) => {
  const all = HOSTILE.join("\n");
  await Deno.writeTextFile(join(home.work, "hostile.bin"), all);
  const command = `cat hostile.bin # ${all.replaceAll("\0", "").replaceAll("\n", " ")}`;
  await using server = new ModelServer("openai", [
    {
      reasoning: all,
      text: `${all}\n\nNow a call.`,
      calls: [
        { id: HOSTILE[0]!, name: "bash", input: { command, summary: all } },
        { id: "2", name: all, input: { [all]: all } },
        {
          id: "3",
          name: "write",
          input: { path: `../${all.replaceAll("\0", "")}`, content: all },
        },
      ],
    },
    { text: "First over." },
    { status: 429, headers: { "retry-after": "0" }, body: all },
    { status: 400, body: JSON.stringify({ error: { message: all } }) },
  ]);
  await using terminal = await readyChat(home, server, [], { columns: 100, rows: 60 });
  await type(terminal, "Be hostile");
  await terminal.until(/Runs a command\. Allow\?/, "visible");
  await terminal.press("y");
  await terminal.until(/outside the working directory\. Allow\?/i, "visible");
  await terminal.press("n");
  await terminal.until(/First over\.[^]*^>\s*$/m);
  await type(terminal, "Fail");
  await terminal.until(/trying again[^]*✗ Turn failed[^]*^>\s*$/m);
  await type(terminal, "/status");
  await terminal.until(/^Window/m);
  await type(terminal, "/quit");
  await terminal.until(/status=0/);
  assertOwnAlone(terminal.raw());
});

atTerminal.test("a hostile log is replayed without harm", async (home) => {
  home.keep(sessionId("aaaa"), [], { bytes: withoutNewerLines(hostileLog()) });
  await using terminal = await openChat(home, undefined, ["--model", "mock", "--resume", "aaaa"]);
  await terminal.until(WAITING, "visible");
  await type(terminal, "/fork");
  await terminal.until(/Continuing in a copy/, "visible");
  await terminal.until(WAITING, "visible");
  await type(terminal, "/quit");
  await terminal.until(/status=0/);
  assertOwnAlone(terminal.raw());
});

atTerminal.test("the question shows the whole command, and offers no always for one that is too long", async (home) => {
  const bash = (id: string, command: string): object => ({
    id,
    name: "bash",
    input: { command },
  });
  const commands = ["ls\necho hidden\u202e; touch mark", `ls ${"a".repeat(20_000)}; touch mark`];
  await using server = new ModelServer("openai", [
    { calls: commands.map((command, index) => bash(`${index}`, command)) as [] },
    { text: "Over." },
  ]);
  await using terminal = await readyChat(home, server, [], { columns: 100, rows: 40 });
  await type(terminal, "Go");
  await terminal.until(
    /^bash ls␊\necho hidden<U\+202E>; touch mark\nRuns a command\. Allow\? \[y\] yes · \[n\] no · \[a\] always/m,
    "visible",
  );
  await terminal.press("a");
  await terminal.until(
    /12015 more characters are not shown\nRuns a command\. Allow\? \[y\] yes · \[n\] no$/m,
    "visible",
  );
  await terminal.press("a");
  await terminal.press("n");
  await terminal.until(/Over\.[^]*^>\s*$/m);
  assert.deepEqual([...Deno.readDirSync(home.work)].map(({ name }) => name), ["mark"]);
});
