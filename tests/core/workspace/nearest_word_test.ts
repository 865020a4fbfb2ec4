import assert from "node:assert/strict";
import { AGENT_NAMES } from "../../../lib/core/event/agent_name.ts";
import { nearestWord } from "../../../lib/core/workspace/nearest_word.ts";

Deno.test("nearestWord finds the agent that a person means", () => {
  const agents = {
    "Claude Code": "claude",
    "claude code": "claude",
    ...{ cladue: "claude", claud: "claude", "Claude Desktop": "claude-desktop" },
    ...{ "OpenAI Codex": "codex", "codex-cli": "codex", "GitHub Copilot": "copilot" },
    ...{
      "Gemini CLI": "gemini",
      "Kilo Code": "kilo-code",
      "Roo Code": "roo",
      opnecode: "opencode",
    },
  };
  for (const [typed, agent] of Object.entries(agents)) {
    assert.equal(nearestWord(typed, AGENT_NAMES), agent, typed);
  }
  for (const typed of ["", "nobody", "x", "emacs", "日本"]) {
    assert.equal(nearestWord(typed, AGENT_NAMES), undefined, typed);
  }
});

Deno.test("nearestWord forgives one letter in three, and swapped letters", () => {
  const words = ["list", "show", "session.retention_days", "session.max_storage_mb"];
  for (const typed of ["lsit", "lst", "LIST", "lists"]) {
    assert.equal(nearestWord(typed, words), "list", typed);
  }
  assert.equal(nearestWord("retention_days", words), "session.retention_days");
  assert.equal(nearestWord("session.maxstorage", words), "session.max_storage_mb");
  assert.equal(nearestWord("foo", words), undefined);
  assert.equal(nearestWord("list", []), undefined);
});

Deno.test("a word of millions of letters is near none, and is not compared letter by letter", () => {
  assert.equal(nearestWord("claude".repeat(500_000), AGENT_NAMES), undefined);
});
