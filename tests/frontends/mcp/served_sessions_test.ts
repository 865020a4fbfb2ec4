import assert from "node:assert/strict";
import type { SessionError } from "../../../lib/core/event/session_error.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import { openNamedSession } from "../../../lib/frontends/mcp/served_sessions.ts";
import { openStore } from "../../../mod.ts";

Deno.test("a client opens a session by its id, and no file by its path", async () => {
  const root = await Deno.makeTempDir();
  await using session = openStore({ root }).create({ cwd: root });
  await session.append({ kind: "user_message", payload: { content: "Hello" } });
  await session.finish();
  const library = openLibrary({ root, variable: () => undefined });
  assert.equal((await openNamedSession(library, `${session.id}#1`)).seq, 1);
  const { path } = await library.open(session.id);
  await assert.rejects(openNamedSession(library, path), (error: SessionError) => {
    assert.equal(error.code, "invalid-ref");
    return true;
  });
  await Deno.remove(root, { recursive: true });
});
