/**
 * Finds the lines that a rewind takes back (Grok Build 1.0, session/storage/mod.rs
 * `UserRunTurnTracker`): the named prompt and everything after it. Prompts are numbered from 0.
 */
import { asObject, asText, type Json } from "../engine/json.ts";
import type { RewindRules } from "../engine/sources/rewound_lines.ts";

/** Returns the notification in a line. Early versions wrote it without an envelope. */
export function updateIn(value: Json): Json {
  return asObject(asObject(value.params ?? value).update);
}

/** Returns the time in a line's notification, or else the time at which the line was written. */
export function timeOf(value: Json): unknown {
  return asObject(asObject(value.params)._meta).agentTimestampMs ?? value.timestamp;
}

interface Prompts {
  /** Index of each prompt's first line, by the prompt's number. Rewound lines are not counted. */
  starts: number[];
  /** The number of the prompt in the last line. Undefined if the last line is no prompt. */
  current: number | undefined;
  continues: boolean;
}

export const rewindRules: RewindRules<Prompts> = {
  begin: () => ({ starts: [], current: undefined, continues: false }),
  // Ids of events begin anew with each start of the client.
  idOf({ value }): string | undefined {
    const update = updateIn(value);
    return isPromptChunk(update)
      ? `prompt ${asObject(update._meta).promptIndex ?? ""} ${timeOf(value)}`
      : undefined;
  },
  take(prompts, { value }, standing): number | undefined {
    const update = updateIn(value);
    if (isPromptChunk(update)) {
      const told = promptNumber(asObject(update._meta).promptIndex);
      const number = told ?? prompts.current ?? prompts.starts.length;
      prompts.continues = number === prompts.current;
      if (!prompts.continues) prompts.starts[number] = standing;
      prompts.current = number;
      return undefined;
    }
    Object.assign(prompts, { current: undefined, continues: false });
    if (update.sessionUpdate !== "rewind_marker") return undefined;
    const target = promptNumber(update.target_prompt_index ?? update.targetPromptIndex) ?? Infinity;
    const start = prompts.starts[target];
    if (start !== undefined) prompts.starts.length = target;
    return start;
  },
  continues: ({ continues }) => continues,
};

function promptNumber(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < MOST_PROMPTS
    ? Number(value)
    : undefined;
}

const MOST_PROMPTS = 1e6;

/** True for a piece of a user's prompt, but not for a command of the client itself. */
export function isPromptChunk({ sessionUpdate, _meta }: Json): boolean {
  return asText(sessionUpdate) === "user_message_chunk" && asObject(_meta).hostTurn !== true;
}
