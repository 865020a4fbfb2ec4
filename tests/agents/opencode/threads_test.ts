import assert from "node:assert/strict";
import { opencodeAgent } from "../../../lib/agents/opencode/opencode_agent.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { locateAll, makeHome, payloadsOf, readAll } from "../../_support/agent_contract.ts";
import { databaseOf, type Exported, exported, storageFiles } from "./_store.ts";
import { loadLocator } from "../../../lib/library/locators.ts";

/** A session, its sub-agent, and a sub-agent of that. */
function family(): Exported[] {
  const parent = exported("compaction");
  parent.info.revert = { messageID: "msg_c07" };
  const child = named("ses_child", parent.info.id);
  const grandchild = named("ses_grandchild", "ses_child");
  return [parent, child, grandchild];
}

function named(id: string, parentID: string): Exported {
  const session = exported("small");
  session.info = { ...session.info, id, parentID, title: `Work of ${id}` };
  session.info.projectID = exported("compaction").info.projectID;
  for (const message of session.messages) {
    message.info.id = `${message.info.id}_${id}`;
    for (const part of message.parts) part.id = `${part.id}_${id}`;
  }
  return session;
}

async function onlyOne(files: Record<string, string | Uint8Array>): Promise<{
  session: AgentSession;
  home: Awaited<ReturnType<typeof makeHome>>;
}> {
  const home = await makeHome(files);
  const [session, ...others] = await locateAll(opencodeAgent, home.environment);
  assert.deepEqual(others, [], "a child is no row of its own");
  assert.ok(session !== undefined);
  return { session, home };
}

const STORES: Record<string, () => Record<string, string | Uint8Array>> = {
  "a database": () => ({ ".local/share/opencode/opencode.db": databaseOf(...family()) }),
  "older files": () => Object.assign({}, ...family().map((session) => storageFiles(session))),
};

for (const [store, files] of Object.entries(STORES)) {
  Deno.test(`in ${store}, children and what was taken back are threads of the session`, async () => {
    const { session, home } = await onlyOne(files());
    await using _ = home;
    const threads = await opencodeAgent.open(session).threads();
    const small = exported("small").messages.length;
    assert.deepEqual(
      threads?.map(({ id, kind, parent, title, records }) => [id, kind, parent, title, records]),
      [
        ["main", "main", undefined, undefined, 6],
        ["msg_c07", "replaced", { thread: "main" }, "three", 5],
        ["ses_child", "subagent", { thread: "main" }, "Work of ses_child", small],
        ["ses_grandchild", "subagent", { thread: "ses_child" }, "Work of ses_grandchild", small],
      ],
    );
    const { events } = await readAll(opencodeAgent, session, { thread: "ses_g", unit: "rows" });
    assert.equal(payloadsOf(events, "session_started")[0]?.session_id, "ses_grandchild");
    const whole = await readAll(opencodeAgent, session, { thread: "main", unit: "rows" });
    assert.deepEqual(
      whole.events,
      (await readAll(opencodeAgent, session, { unit: "rows" })).events,
    );
    const taken = await readAll(opencodeAgent, session, { thread: "msg_c07", unit: "rows" });
    assert.ok(taken.events.length > whole.events.length);
    await assert.rejects(
      readAll(opencodeAgent, session, { thread: "nowhere", unit: "rows" }),
      { code: "not-found" },
    );
  });
}

Deno.test("a child is located when sub-agents are asked for", async () => {
  await using home = await makeHome({
    ".local/share/opencode/opencode.db": databaseOf(...family()),
  });
  const found: string[] = [];
  const { environment } = home;
  const { locate } = await loadLocator("opencode");
  for await (const { id } of locate(environment, { subagents: true })) found.push(id);
  assert.deepEqual(
    found.sort(),
    [exported("compaction").info.id, "ses_child", "ses_grandchild"].sort(),
  );
});

Deno.test("a child whose parent is gone is a session of its own", async () => {
  const { session, home } = await onlyOne({
    ".local/share/opencode/opencode.db": databaseOf(named("ses_child", "ses_gone")),
  });
  await using _ = home;
  assert.equal(session.id, "ses_child");
});
