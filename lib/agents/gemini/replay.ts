/**
 * Replays the patches of a chat to find the final messages and their places. It does not hold their
 * contents.
 */
import type { LinePosition } from "../../event/envelope.ts";
import { asText } from "../../reading/records/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { chatRecordType, freshMessages, messageId } from "./chat_record.ts";

/** Where a message lies: in a line of its own, or in one that began the chat anew. */
export interface MessagePlace {
  position: LinePosition;
  salvaged: boolean;
  /** Its place among the messages of the line; absent when the line is the message. */
  index?: number;
}

/** A chat while it is replayed. */
export interface Replay {
  /** By id, in the order in which they stand. */
  messages: Map<string, MessagePlace>;
  /** What the heads and patches said, the later the stronger. */
  head: Record<string, unknown>;
  /** The first head. */
  first: SourceRecord | undefined;
  /** Goes no further than to where this message would be taken away. */
  branch: string | undefined;
  ended: boolean;
  /** What each rewind and each new beginning took away. */
  drops: Map<string, MessagePlace>[];
}

/** A chat before its first record. */
export function startReplay(branch?: string): Replay {
  return { messages: new Map(), head: {}, first: undefined, branch, ended: false, drops: [] };
}

/** Takes a record. Tells whether it was taken: it is not, once the branch that was asked for ended. */
export function replayRecord(replay: Replay, record: SourceRecord): boolean {
  if (!replay.ended && replay.branch !== undefined) replay.ended = takesAway(replay, record);
  if (replay.ended) return false;
  const { value, position, salvaged = false } = record;
  const type = chatRecordType(value);
  if (type === "$rewindTo") rewind(replay, asText(value.$rewindTo) ?? "");
  else if (type === "message") {
    replay.messages.set(messageId(value) ?? "", { position, salvaged });
  } else if (type === "other") replay.messages.set(`at ${position.offset}`, { position, salvaged });
  else takeHead(replay, record);
  return true;
}

function takeHead(replay: Replay, record: SourceRecord): void {
  const { value, position, salvaged = false } = record;
  const { messages: _, ...head } = (value.$set ?? value) as Record<string, unknown>;
  if (value.$set === undefined) replay.first ??= record;
  Object.assign(replay.head, head);
  const fresh = freshMessages(value);
  if (fresh === undefined) return;
  const before = replay.messages;
  replay.messages = new Map();
  for (const [index, message] of fresh.entries()) {
    const id = messageId(message) ?? `${position.offset}-${index}`;
    replay.messages.set(id, { position, salvaged, index });
  }
  drop(replay, [...before].filter(([id]) => !replay.messages.has(id)));
}

function rewind(replay: Replay, id: string): void {
  const all = [...replay.messages];
  const from = replay.messages.has(id) ? all.findIndex(([key]) => key === id) : 0;
  replay.messages = new Map(all.slice(0, from));
  drop(replay, all.slice(from));
}

/** What was taken away and did not come back, as threads that their first message names. */
export function takenAway({ messages, drops }: Replay): [string, MessagePlace][][] {
  const threads: [string, MessagePlace][][] = [];
  for (const taken of drops) {
    const own = [...taken].filter(([id]) =>
      !messages.has(id) && !threads.some(([first]) => first?.[0] === id)
    );
    if (own.length > 0) threads.push(own);
  }
  return threads;
}

function drop({ drops }: Replay, taken: readonly [string, MessagePlace][]): void {
  if (taken.length > 0) drops.push(new Map(taken));
}

/** Whether a record takes the message away that the branch is named by. */
function takesAway({ messages, branch }: Replay, { value }: SourceRecord): boolean {
  if (branch === undefined || !messages.has(branch)) return false;
  if (typeof value.$rewindTo === "string") {
    const ids = [...messages.keys()];
    return ids.indexOf(branch) >= ids.indexOf(value.$rewindTo);
  }
  const fresh = freshMessages(value);
  return fresh !== undefined && !fresh.some((message) => messageId(message) === branch);
}
