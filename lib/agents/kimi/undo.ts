/**
 * Finds the lines that an undo takes back: the last prompts and all lines after them. The source is
 * `computeUndoCut` of Kimi Code 2.1, packages/agent-core-v2, contextMemory/contextOps.ts. An undo
 * reaches no further back than the last compaction.
 */
import { asNumber, asObject, asText, type Json } from "../engine/json.ts";
import type { RewindRules } from "../engine/sources/rewound_lines.ts";

/** The turns that an undo can take back, as the indexes of their first lines. */
interface Turns {
  starts: number[];
  /** The index of a `turn.prompt` line whose message has not come yet. */
  prompt: number | undefined;
}

export const undoRules: RewindRules<Turns> = {
  begin: () => ({ starts: [], prompt: undefined }),
  idOf: ({ value }) => recordId(value),
  take(turns, { value }, standing): number | string | undefined {
    // 2.1 writes each turn's messages a second time as events of its engine.
    if (value.kind === "event") return asText(value.type) ?? "event";
    switch (value.type) {
      case "turn.prompt":
        turns.prompt = standing;
        return undefined;
      case "context.append_message":
        if (!isPrompt(asObject(value.message))) return undefined;
        turns.starts.push(turns.prompt ?? standing);
        turns.prompt = undefined;
        return undefined;
      case "context.clear":
      case "context.apply_compaction":
        turns.starts = [];
        return undefined;
      case "context.undo": {
        const count = asNumber(value.count) ?? 1;
        return count > turns.starts.length ? undefined : turns.starts.splice(-count)[0];
      }
      default:
        return undefined;
    }
  },
};

/** True for a message of the user. Only these count for an undo and are kept by a compaction. */
export function isPrompt({ role, origin }: Json): boolean {
  if (role !== "user") return false;
  const { kind = "user", trigger } = asObject(origin);
  return kind === "user" ||
    ((kind === "skill_activation" || kind === "plugin_command") && trigger === "user-slash");
}

export function recordId({ type, message, event, promptId }: Json): string | undefined {
  if (type === "turn.prompt" && typeof promptId === "string") return `prompt ${promptId}`;
  if (type === "context.append_message") return asText(asObject(message).id);
  const { type: kind, uuid } = asObject(event);
  return asText(uuid) === undefined ? undefined : `${kind} ${uuid}`;
}
