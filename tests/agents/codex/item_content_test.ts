import assert from "node:assert/strict";
import { isContextual, readUserCommand } from "../../../lib/agents/codex/item_content.ts";

function said(...texts: string[]): unknown {
  return texts.map((text) => ({ type: "input_text", text }));
}

Deno.test("recognizes Codex's own messages in the user's place by their tags", () => {
  assert.ok(isContextual(said("<environment_context>\n<cwd>/w</cwd>\n</environment_context>")));
  assert.ok(
    isContextual(said("# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>a</INSTRUCTIONS>")),
  );
  assert.ok(isContextual(said("  <TURN_ABORTED>\nx\n</TURN_ABORTED>\n")));
  assert.ok(isContextual(said("mine", "<skill>x</skill>")));
});

Deno.test("takes other messages for the user's", () => {
  assert.ok(!isContextual(said("<environment_context> is a tag of yours")));
  assert.ok(!isContextual(said("# AGENTS.md instructions are missing")));
  assert.ok(!isContextual(said("")));
  assert.ok(!isContextual(undefined));
});

Deno.test("a command of the user is read with its outcome", () => {
  const text = "<user_shell_command>\n<command>\nls\n-l\n</command>\n<result>\nExit code: 3\n" +
    "Duration: 0.2500 seconds\nOutput:\na\nb\n</result>\n</user_shell_command>";
  assert.deepEqual(readUserCommand(text), {
    command: "ls\n-l",
    exit_code: 3,
    duration_ns: 250_000_000,
    output: "a\nb",
  });
  assert.equal(readUserCommand("ls"), undefined);
});
