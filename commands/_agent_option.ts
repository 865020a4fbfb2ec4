/** `--agent`, where only other agents' sessions are meant. */
import { Option } from "npm:@commander-js/extra-typings@15.1.0";
import { AGENT_NAMES, REPRISE } from "../lib/event/agent_name.ts";

/** Of one other agent, or of all others. */
export function otherAgentOption(description: string): Option<"--agent <name>"> {
  const others = AGENT_NAMES.filter((name) => name !== REPRISE);
  return new Option("--agent <name>", description).choices([...others, "all"]);
}
