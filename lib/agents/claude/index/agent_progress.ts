/** Tells the records of progress that hold a message of a subagent. */
import { byteSearch } from "../../../log/json_bytes/byte_search.ts";

/** The subtype of such records. */
export const AGENT_PROGRESS = "agent_progress";

/** Finds what only such records hold, unless one is quoted in a record of another kind. */
export const findAgentProgress = byteSearch(`"${AGENT_PROGRESS}"`);
