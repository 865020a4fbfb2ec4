import { aiderAgent } from "../../../lib/agents/aider/aider_agent.ts";
import { aiderFormat } from "../../../lib/agents/aider/aider_format.ts";
import type { Agent, AgentSession } from "../../../lib/source/agent.ts";
import type { LogEvent } from "../../../lib/event/envelope.ts";
import type { Summary } from "../../../lib/projection/summary_row.ts";
import { pathDigest } from "../../../lib/workspace/namespace.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

/** Ids hold the digest of the file's path, which is another in each home: here they go without. */
function short<Session extends AgentSession>(session: Session): Session {
  return { ...session, id: session.id.replace(/-[0-9a-f]{10}(?=$|-\d+$)/, "") };
}

function long(session: AgentSession): AgentSession {
  const [stamp, repeat] = session.id.split("-");
  const digest = pathDigest(Deno.realPathSync(session.path));
  return { ...session, id: [stamp, digest, ...(repeat === undefined ? [] : [repeat])].join("-") };
}

const agent: Agent = {
  ...aiderAgent,
  async *locate(environment, options): AsyncGenerator<AgentSession> {
    for await (const session of aiderAgent.locate(environment, options)) yield short(session);
  },
  sessionsIn: async (path) => (await aiderAgent.sessionsIn(path)).map(short),
  async summarize(session, options): Promise<Summary | undefined> {
    const row = await aiderAgent.summarize(long(session), options);
    return row && { ...row, session_id: session.id, ref: `aider:${session.id}` };
  },
  async *read(session, options): AsyncGenerator<LogEvent[]> {
    for await (const batch of aiderAgent.read(long(session), options)) {
      yield batch.map((event) => ({
        ...event,
        ...("source" in event ? { source: { ...event.source, session_id: session.id } } : {}),
      }));
    }
  },
};

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/aider/${name}`, import.meta.url);
}

testAgentContract("aider", {
  agent,
  format: aiderFormat,
  files: { "shop/.aider.chat.history.md": fixture("plain.md") },
  variables: { AIDER_CHAT_HISTORY_FILE: "~/shop/.aider.chat.history.md" },
  ids: ["20261009T100000", "20261010T093000"],
});

testAgentContract("aider, last session", {
  agent,
  format: aiderFormat,
  files: { ".aider.chat.history.md": fixture("plain.md") },
  ids: ["20261010T093000", "20261009T100000"],
});
