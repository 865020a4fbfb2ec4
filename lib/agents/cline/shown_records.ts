/**
 * Finds the entries of a task's `ui_messages.json` that are not in its conversation, and the tokens
 * of its requests.
 *
 * Cline 3.30, src/shared/ExtensionMessage.ts. Roo Code 3.40, packages/types/src/message.ts.
 */
import { asNumber, asObject, asText, type Json, parsedObject } from "../engine/json.ts";

interface ShownRecords {
  /** Messages shown before a message of the conversation, by the index of that message. */
  before: Map<number, Json[]>;
  after: Json[];
  requests: Json[];
}

/** Types of messages in `ui_messages.json` whose text has token counts. */
const REQUESTS: ReadonlySet<unknown> = new Set([
  ...["api_req_started", "api_req_finished", "deleted_api_reqs", "subagent_usage"],
]);

/** Groups the messages of `ui_messages.json`. Omits messages that the conversation also has. */
export function shownRecords(messages: readonly Json[], screen: readonly Json[]): ShownRecords {
  const found: ShownRecords = { before: new Map(), after: [], requests: [] };
  const texts = messages.map((message) => leavesOf(message).join("\n"));
  for (const shown of screen) {
    const text = asText(shown.text) ?? "";
    if (REQUESTS.has(shown.say)) {
      const request = parsedObject(text);
      if (request?.tokensIn !== undefined) found.requests.push({ ...request, ...shown });
      continue;
    }
    // The cost of a condensation (Roo Code 3.40, packages/types/src/message.ts, `contextCondense`).
    const { cost } = asObject(shown.contextCondense);
    if (asNumber(cost)) found.requests.push({ ...shown, cost });
    const index = placeOf(shown, messages);
    if (shown.partial === true || isSaid(text, nearby(texts, index))) continue;
    if (index === undefined || index === messages.length) found.after.push(shown);
    else found.before.set(index, [...found.before.get(index) ?? [], shown]);
  }
  return found;
}

/** Number of messages to search for a text, on each side of an index. Searching all is too slow. */
const AROUND = 3;

/**
 * Returns the texts near an index. Without an index, returns all texts. If there are more than 200,
 * it returns only the first two and the last three.
 */
function nearby(texts: readonly string[], index: number | undefined): readonly string[] {
  if (index !== undefined) return texts.slice(Math.max(0, index - AROUND), index + AROUND);
  return texts.length > MOST_UNPLACED ? [...texts.slice(0, 2), ...texts.slice(-AROUND)] : texts;
}

const MOST_UNPLACED = 200;

function isSaid(text: string, said: readonly string[]): boolean {
  const value = parsedObject(text);
  const leaves = value === undefined ? [text] : leavesOf(value);
  return leaves.every((leaf) => said.some((one) => one.includes(leaf.trim())));
}

/**
 * Returns the index of the message before which a screen message was shown. Undefined if no index
 * or time is recorded.
 */
function placeOf(
  { ts, conversationHistoryIndex }: Json,
  messages: readonly Json[],
): number | undefined {
  const behind = asNumber(conversationHistoryIndex);
  if (behind !== undefined) return Math.min(behind + 1, messages.length);
  const time = asNumber(ts);
  if (time === undefined || asNumber(messages.at(-1)?.ts) === undefined) return undefined;
  // Times rise: half of the messages is left each time.
  let [low, high] = [0, messages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((asNumber(messages[middle]?.ts) ?? 0) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

function leavesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}
