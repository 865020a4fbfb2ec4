/**
 * What every reader does, on each case of `testdata/cases` whose `case.json` asks for it. Slow: each
 * home is damaged, cut and listed again for every place where a reader is in another state.
 */
import type { SessionFormat } from "../../lib/agents/engine/session_format.ts";
import { loadAgent } from "../../lib/library/machine/registry.ts";
import type { AgentSession } from "../../lib/agents/contract/agent.ts";
import { type AgentCase, testAgentContract } from "../_support/agent_contract.ts";
import { allCases, type FiledCase, filesOf } from "./_case.ts";
import { FORMATS } from "./_formats.ts";

function idsOf({ expected }: FiledCase): string[] {
  const told: { session: AgentSession }[] = JSON.parse(Deno.readTextFileSync(expected));
  return told.map(({ session }) => session.id);
}

function forkBy(pattern: string, text: string): NonNullable<AgentCase["fork"]> {
  return (session, id) => session.replace(new RegExp(pattern), text.replace("ID", id));
}

for (const given of allCases()) {
  const { agent, name, variables = {}, os = "linux", contract = [] } = given;
  const format: SessionFormat<unknown> | undefined = FORMATS[agent];
  // One object: a home that is named again has only other sessions damaged.
  const files = filesOf(given);
  for (const { fork, ...fields } of contract) {
    testAgentContract(fields.id === undefined ? name : `${name}, ${fields.id}`, {
      agent: await loadAgent(agent),
      ...(format === undefined ? {} : { format }),
      files,
      ids: idsOf(given),
      variables,
      os,
      ...fields,
      ...(fork === undefined ? {} : { fork: fork && forkBy(...fork) }),
    });
  }
}
