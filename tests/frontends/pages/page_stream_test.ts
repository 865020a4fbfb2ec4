import assert from "node:assert/strict";
import { whileRunning } from "../../../lib/frontends/pages/page_stream.ts";

// Slow: the stream sends a note from time to time.
Deno.test("notes come while work runs, and end when it fails", async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const notes = whileRunning(promise);
  assert.equal((await notes.next()).done, false);
  const next = notes.next();
  reject(new Error("unreadable"));
  assert.equal((await next).done, true);
});
