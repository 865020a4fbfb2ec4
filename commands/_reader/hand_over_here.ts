/** Hands the session that is read over to another agent, in the terminal of the full screen. */
import { type AgentName, isAgentName, REPRISE } from "../../lib/event/agent_name.ts";
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import type { Context } from "../_context.ts";
import { sessionElsewhere } from "../_handover/continue_elsewhere.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { askLine } from "../_question.ts";
import { resumeInAgent } from "../_resume_in_agent.ts";

const NOTHING = "Nothing was handed over";

/**
 * Asks for the agent, tells what goes along, asks again, and runs the agent. Returns a message for
 * the screen.
 */
export async function handOver(context: Context, session: SessionHandle): Promise<string> {
  const agents = await agentsHere(context, session);
  const rows = agents.map(({ agent, title }, index) =>
    `  ${index + 1}  ${agent.padEnd(9)} ${title}`
  );
  await say(context, [`Continue ${session.ref} in:`, ...rows].join("\n"));
  const answer = await askLine(context, "Agent (its number or name; Enter for none): ");
  const to = agents[Number(answer) - 1]?.agent ?? answer;
  if (!isAgentName(to) || !agents.some(({ agent }) => agent === to)) return NOTHING;
  const confirm = async (): Promise<boolean> =>
    /^y(es)?$/i.test(await askLine(context, "Hand it over, and continue there? [y/N] "));
  await resumeInAgent(context, await sessionElsewhere(context, session, to, confirm));
  return "";
}

/** The agents that were used here, and Reprise itself. */
async function agentsHere(
  context: Context,
  session: SessionHandle,
): Promise<{ agent: AgentName; title: string }[]> {
  const { HANDOVER_AGENTS, handoverTarget } = await import("../../lib/handover/mod.ts");
  const { environment } = contextLibrary(context).place;
  const targets = await Promise.all(
    HANDOVER_AGENTS.map((agent) => handoverTarget(agent, environment)),
  );
  const own = session.agent === REPRISE ? [] : [{ agent: REPRISE as AgentName, title: "Reprise" }];
  return [...targets.filter(({ agent, present }) => present && agent !== session.agent), ...own];
}
