/** The state that is carried through a session of Copilot CLI. */
import type { LinePosition } from "../../event/envelope.ts";
import { noPrompts, type Prompts, type Skill } from "./compaction.ts";
import type { Spent } from "./run_usage.ts";
import { noCalls, type ToolCalls } from "./tool_calls.ts";

/** The state between two events. */
export interface CopilotState {
  /** Where the record stands that the head was made of. */
  head_offset?: number;
  calls: ToolCalls;
  /** Places of bytes that were put away, by their id. */
  assets: Map<string, LinePosition>;
  /** The user's prompts so far, and the skills in use: a compaction repeats them. */
  prompts: Prompts;
  skills: Skill[];
  /** The output that answers told of; undefined where events before were not read. */
  spent: Spent | undefined;
  turn_id?: string | undefined;
  /** The last thought that was told of by itself. */
  thought?: string | undefined;
  /** The first event of the last answer that calls. */
  calling_seq?: number | undefined;
  /** From where on a compaction that is under way keeps. */
  kept_from?: number | undefined;
}

/** Returns the state before the first event, or amid the session. */
export function startState(amid = false): CopilotState {
  return {
    calls: noCalls(),
    assets: new Map(),
    prompts: noPrompts(),
    skills: [],
    spent: amid ? undefined : new Map(),
  };
}
