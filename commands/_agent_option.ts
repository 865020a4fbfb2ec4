/** `--agent`: whose sessions a command is about. */
import { Option } from "npm:@commander-js/extra-typings@15.1.0";
import { AGENT_NAMES } from "../lib/event/agent_name.ts";

/** Of one agent whose sessions are read in place, or of all. */
export function foreignAgentOption(description: string): Option<"--agent <name>"> {
  return new Option("--agent <name>", description).choices([...AGENT_NAMES, "all"]);
}

/** Of one agent, Reprise itself among them, or of all. */
export function agentOption(description: string): Option<"--agent <name>"> {
  return new Option("--agent <name>", description).choices([...AGENT_NAMES, "reprise", "all"]);
}
