import assert from "node:assert/strict";
import { vibeAgent } from "../../../lib/agents/vibe/vibe_agent.ts";

Deno.test("Mistral Vibe is recognized by the name of its file and the roles in it", () => {
  const head = new TextEncoder().encode('{"role":"user","content":"Hello"}\n');
  assert.ok(vibeAgent.recognize("/a/session_x/messages.jsonl", head));
  assert.ok(!vibeAgent.recognize("/a/session_x/notes.jsonl", head));
  const other = new TextEncoder().encode('{"type":"message"}\n');
  assert.ok(!vibeAgent.recognize("/a/session_x/messages.jsonl", other));
});
