/** The sessions of a store, as a library finds them. */
import type { AgentSession } from "../../lib/agents/contract/agent.ts";
import { sessionFolders } from "../../lib/core/store/session_folder.ts";

/** All of a data root, archived ones among them. */
export function ownSessions(root: string): AgentSession[] {
  return sessionFolders(root).map(({ session_id: id, path }) => ({ agent: "reprise", id, path }));
}
