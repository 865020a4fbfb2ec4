import assert from "node:assert/strict";
import { opencodeAgent } from "../../../lib/agents/opencode/opencode_agent.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { sumsOf } from "../../_support/agent_contract.ts";
import { schemaBytes } from "./_store.ts";
import { tempFile } from "../../_support/temp_file.ts";

Deno.test("a fork of OpenCode 2 counts once what it copied, and names its parent", async () => {
  const bytes = schemaBytes(
    ["schema_1_18", "schema_2_0", "version_2"],
    (database) =>
      database.exec(`
      CREATE TEMP TABLE fork AS SELECT * FROM session_v2;
      UPDATE fork SET id = 'ses_fork', fork_session_id = 'ses_2';
      INSERT INTO session_v2 SELECT * FROM fork;
      CREATE TEMP TABLE copied AS SELECT * FROM session_message;
      UPDATE copied SET id = 'ses_fork_' || id, session_id = 'ses_fork';
      INSERT INTO session_message SELECT * FROM copied;
      UPDATE session_message SET data = json_remove(data, '$.time');`),
  );
  using file = tempFile("opencode.db", bytes);
  const sessions = await opencodeAgent.sessionsIn(file.path);
  const fork = sessions.findIndex(({ id }) => id === "ses_fork");
  const { parent } = await opencodeAgent.open(sessions[fork] as AgentSession).summarize() ?? {};
  assert.deepEqual(parent, { session_id: "ses_2", reason: "fork" });
  const sums = await sumsOf(opencodeAgent, sessions);
  assert.deepEqual(sums, await sumsOf(opencodeAgent, sessions.filter(({ id }) => id === "ses_2")));
});
