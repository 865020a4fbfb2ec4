/** The rule by which an agent's own list leaves out sessions. */
import type { Summary } from "../../core/projection/summary_row.ts";
import type { AgentSession } from "./agent.ts";
import type { AgentPlace } from "./agent_environment.ts";
import type { ResumeCommand } from "./resume_command.ts";

export interface HiddenReason {
  /** The reason as a clause, such as `its directory is gone: /src/app`. */
  readonly reason: string;
  /** Commands that open the hidden session, in order. @default {the agent's resume command} */
  readonly commands?: readonly ResumeCommand[];
  /** True if the agent's list would show a copy of the session in an existing directory. */
  readonly copy_helps?: true;
}

/**
 * Returns the reason why the agent's own list omits a session; undefined if the list shows it. The
 * row's directory may differ from the recorded one, as the user may have relinked it.
 */
export type ReadHiddenReason = (
  session: AgentSession,
  row: Summary,
) => HiddenReason | undefined | Promise<HiddenReason | undefined>;

/** A root of an agent and the current time, because some lists leave out sessions by their age. */
export interface VisiblePlace extends AgentPlace {
  /** The current time in milliseconds since 1970. */
  now: number;
}

/** Reads the agent's session index below one root, and returns a check of single sessions. */
export type ReadVisibility = (place: VisiblePlace) => ReadHiddenReason | Promise<ReadHiddenReason>;
