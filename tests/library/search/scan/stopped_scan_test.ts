import assert from "node:assert/strict";
import { openLibrary } from "../../../../lib/library/library.ts";
import { searchSessions } from "../../../../lib/library/search/search.ts";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { logOf, user } from "../../../_support/log_bytes.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

inDirectory.test("a search ends at its signal, and gives the same with one as without", async (directory) => {
  const library = openLibrary({ variable: () => undefined });
  const sessions: AgentSession[] = [];
  for (const name of ["a", "b", "c"]) {
    const path = `${directory}/${name}.jsonl`;
    Deno.writeFileSync(path, logOf([user("a needle"), user("hay")]));
    sessions.push((await library.open(path)).session);
  }
  const request = { query: "needle", now: 0 };
  const stop = new AbortController();
  const { signal } = stop;
  const whole = await searchSessions(sessions, request);
  assert.equal(whole.total, 3);
  assert.deepEqual(await searchSessions(sessions, request, { signal }), whole);
  let done = 0;
  const onProgress = (): void => {
    done++;
    stop.abort();
  };
  const stopped = searchSessions(sessions, request, { signal, onProgress });
  await assert.rejects(stopped, { name: "AbortError" });
  assert.equal(done, 1);
});
