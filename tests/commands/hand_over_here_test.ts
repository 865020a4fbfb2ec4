import assert from "node:assert/strict";
import { join } from "node:path";
import { sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { putProgram } from "./_fake_agent.ts";
import { atTerminal, shellLine, Terminal } from "./_terminal.ts";

// Slow: a program in a terminal is answered key by key.
atTerminal.test("R asks for an agent, says what goes along, asks again, runs the agent, and comes back", async (home) => {
  home.keep(sessionId("aaaa"), [user("Fix it"), assistant("Fixed")]);
  Deno.mkdirSync(join(home.path, ".codex"));
  const env = putProgram(home, "codex", 'echo "codex ran: $1 in $PWD"; read line');
  const script = `${shellLine([])}; echo status=$?`;
  await using terminal = await Terminal.open(home, script, { columns: 100, rows: 24, env });
  await terminal.until(/^❯ /m);
  await terminal.press("Enter");
  await terminal.until(/\? keys/);
  await terminal.type("R");
  assert.match(await terminal.until(/Enter to cancel/), /1 {2}codex +OpenAI Codex/);
  await terminal.press("Enter");
  await terminal.until(/Nothing was handed over/);
  await terminal.type("R");
  await terminal.until(/Enter to cancel/);
  await terminal.type("codex");
  await terminal.press("Enter");
  assert.match(await terminal.until(/\[y\/N\]/), /1 prompt and 1 answer/);
  await terminal.type("y");
  await terminal.press("Enter");
  await terminal.until(/codex ran: resume in .*work/);
  await terminal.press("Enter");
  await terminal.until(/\? keys/);
  await terminal.type("q");
  await terminal.until(/Enter read/);
  await terminal.press("Escape");
  await terminal.until(/status=0/);
});
