/** The options of sessions that begin. */
import type { SessionStartedPayload } from "../event/payload.ts";

/** Options of a new session. */
export type CreateOptions = Omit<SessionStartedPayload, "session_id" | "created_at">;

/** Options of a subagent's session: those of a new session, in the same directory. */
export type SubagentOptions = Omit<CreateOptions, "cwd" | "parent">;
