/** The options `--here`, `--all`, `--cwd` and `--agent`. */
import { Option } from "npm:@commander-js/extra-typings@15.1.0";
import { AGENT_NAMES } from "../lib/event/agent_name.ts";

/** The options of a scope, in the order of the help. */
export function scopeOptions(): {
  here: Option<"--here">;
  all: Option<"-a, --all">;
  cwd: Option<"--cwd <dir>">;
  agent: Option<"--agent <name>">;
} {
  return {
    here: new Option("--here", "only this project, even if it has none").conflicts("all"),
    all: new Option("-a, --all", "all directories"),
    cwd: new Option("--cwd <dir>", "the project around another directory").conflicts("all"),
    agent: new Option("--agent <name>", "one agent (default: all)")
      .choices([...AGENT_NAMES, "all"]),
  };
}
