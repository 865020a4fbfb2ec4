/**
 * Reads items in their usual form straight to messages. They are most lines of a thread that never
 * compacted. What is in any way unlike goes the way of all records.
 */
import type { Line } from "../../log/line_splitter.ts";
import { readOutcome } from "./call_outcome.ts";
import { NOWHERE } from "../../reading/events/event_writer.ts";
import { holdCall, holdText, holdThought } from "./held_answer.ts";
import { endAnswer, endWaiting, type Rollout } from "./rollout.ts";
import { parsedInput } from "./tool_call.ts";

type Payload = Readonly<Record<string, unknown>>;

const decoder = new TextDecoder();

/** Takes the item of a line where it is plain; gives whether it was. */
export function takePlainItem(rollout: Rollout, line: Line, type: string | undefined): boolean {
  if (!rollout.unlabelled || !rollout.started || type === undefined) return false;
  const take = PLAIN.get(type);
  if (take === undefined || line.oversized) return false;
  const payload = payloadOf(line.bytes);
  return payload !== undefined && take(rollout, payload);
}

/** What a line holds, if nothing is wrong with it. */
function payloadOf(bytes: Uint8Array): Payload | undefined {
  try {
    const text = decoder.decode(bytes);
    if (text.includes("\ufffd")) return undefined;
    const { payload, metadata, reprise } = JSON.parse(text) as Record<string, Payload | undefined>;
    return metadata?.compaction_output === true || reprise !== undefined ? undefined : payload;
  } catch {
    // SyntaxError: what can be taken from the line is found where all lines are read.
    return undefined;
  }
}

/** Of messages, nothing else is asked of a response. */
const NOTHING = {};

const PLAIN: ReadonlyMap<string, (rollout: Rollout, payload: Payload) => boolean> = new Map([
  ["response_item/function_call", takeCall],
  ["response_item/function_call_output", takeOutput],
  ["response_item/reasoning", takeReasoning],
  ["response_item/message/assistant", takeAnswer],
]);

function takeCall(rollout: Rollout, payload: Payload): boolean {
  const { call_id, name, namespace, arguments: text } = payload;
  if (typeof call_id !== "string" || typeof name !== "string" || name === "") return false;
  if (typeof text !== "string" || (namespace ?? undefined) !== undefined) return false;
  if (rollout.open.has(call_id)) return false;
  const call = {
    name,
    command: undefined,
    patch: undefined,
    failed: false,
    told: undefined,
    outcome: undefined,
  };
  rollout.open.set(call_id, call);
  holdCall(rollout.held, { call: { call_id, name, ...parsedInput(text) } }, NOTHING, NOWHERE);
  return true;
}

/** The model gets the text as it is, whether a command or another tool gave it. */
function takeOutput(rollout: Rollout, { call_id, output }: Payload): boolean {
  if (typeof call_id !== "string" || typeof output !== "string" || output === "") return false;
  const { open, settled, writer } = rollout;
  const call = open.get(call_id);
  if (call === undefined || call.failed || call.told !== undefined) return false;
  endAnswer(rollout);
  open.delete(call_id);
  settled.add(call_id);
  const { status } = readOutcome(output);
  writer.emit("tool_end", { call_id, name: call.name, status, output });
  if (open.size === 0) endWaiting(rollout);
  return true;
}

function takeReasoning(rollout: Rollout, payload: Payload): boolean {
  const { id, summary, content, encrypted_content } = payload;
  if (typeof encrypted_content !== "string" || encrypted_content === "") return false;
  if ((id ?? content ?? undefined) !== undefined) return false;
  if (!Array.isArray(summary) || summary.length > 0) return false;
  const provider_data = { type: "reasoning", encrypted_content };
  holdThought(rollout.held, { type: "reasoning", text: "", provider_data }, NOWHERE);
  return true;
}

function takeAnswer(rollout: Rollout, { content }: Payload): boolean {
  if (!Array.isArray(content) || content.length !== 1) return false;
  const { type, text } = content[0] as { type?: unknown; text?: unknown };
  if (type !== "output_text" || typeof text !== "string") return false;
  endWaiting(rollout);
  holdText(rollout.held, [{ type: "text", text }], NOTHING, NOWHERE);
  return true;
}
