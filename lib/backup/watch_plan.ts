/** The plan of a watch. */
import type { AgentName } from "../event/agent_name.ts";
import type { Library } from "../library/library.ts";
import type { SessionStore } from "../session/session_store.ts";

/** What is watched, and where it is kept. */
export interface WatchPlan {
  library: Library;
  store: SessionStore;
  agents: readonly AgentName[];
  now: () => Date;
  default_cwd: string | undefined;
}
