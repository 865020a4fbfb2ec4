import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import type { Message } from "../../../lib/core/event/message.ts";
import { encodeEvent } from "../../../lib/core/event/encode.ts";
import type {
  Conversation,
  ConversationOptions,
} from "../../../lib/core/projection/conversation/conversation.ts";
import { MessageStream } from "../../../lib/core/projection/conversation/message_stream.ts";
import { loadConversation } from "../../../lib/core/store/load_session.ts";
import { readMessages } from "../../../lib/core/store/read_messages.ts";
import { draft } from "../../_support/known_events.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";
import { user } from "../../_support/log_bytes.ts";

const CHOICES: readonly ConversationOptions[] = [
  { tools: "include", reasoning: "include" },
  { tools: "include", reasoning: "omit" },
  { tools: "omit", reasoning: "omit" },
];

async function streamed(path: string, choice: ConversationOptions = {}): Promise<Message[][]> {
  const batches: Message[][] = [];
  for await (const batch of readMessages(path, choice)) batches.push([...batch]);
  return batches;
}

/** The batches of a log, and its conversation. */
async function both(drafts: readonly NewEvent[]): Promise<[Message[][], Conversation]> {
  const path = await Deno.makeTempFile();
  try {
    const time = new Date(0).toISOString();
    const lines = drafts.map((event, at) => encodeEvent({ ...event, seq: at + 1, time } as never));
    await Deno.writeFile(path, new Uint8Array(await new Blob(lines as BlobPart[]).arrayBuffer()));
    return [await streamed(path), await loadConversation(path)];
  } finally {
    await Deno.remove(path);
  }
}

function answer(content: string, message_id: string): NewEvent {
  return draft("assistant_message", { content, message_id });
}

const start = draft("assistant_message", {
  content: [{ type: "tool_call", call_id: "c1", name: "read", input: {} }],
});
const end = draft("tool_end", { call_id: "c1", name: "read", status: "ok", output: "found" });
const LONG = "x".repeat(100_000);

function turns(count: number, id = "t"): NewEvent[] {
  const turn = (at: number): NewEvent[] => [user(`p${at}`), answer(LONG, `${id}${at}`)];
  return Array.from({ length: count }, (_, at) => turn(at)).flat();
}

Deno.test("messages in batches are the conversation of every log", async () => {
  const folder = new URL("../../../testdata/logs/", import.meta.url);
  let [count, read] = [0, 0];
  for (const { name } of Deno.readDirSync(folder)) {
    if (!name.endsWith(".jsonl")) continue;
    const path = fileURLToPath(new URL(name, folder));
    // One choice after the other, so that each meets many logs.
    const next = CHOICES[read++ % CHOICES.length] ?? {};
    for (const choice of ALL_TORTURE ? CHOICES : [next]) {
      const { messages } = await loadConversation(path, choice);
      assert.deepEqual((await streamed(path, choice)).flat(), messages, name);
      count += messages.length;
    }
  }
  assert.ok(count > 100, `${count}`);
});

Deno.test("a log that never compacts gives its messages while it is read", async () => {
  const [batches, { messages }] = await both(turns(20));
  assert.ok(batches.length > 5, `${batches.length}`);
  assert.deepEqual(batches.flat(), messages);
});

Deno.test("messages that a compaction keeps follow its summary", async () => {
  const kept = draft("compaction_applied", { status: "", summary: "sum", first_kept_seq: 5 });
  const [batches, { messages }] = await both([...turns(4), kept, ...turns(4, "u")]);
  assert.deepEqual(batches.flat(), messages);
  assert.deepEqual(messages.slice(0, 2).map(({ content }) => content), ["sum", "p2"]);
});

Deno.test("within a turn a response goes on behind others", async () => {
  const parts = [user("p"), answer("a", "m1"), answer("b", "m2"), answer("c", "m1"), user("q")];
  const [batches, { messages }] = await both([...parts, ...turns(4)]);
  assert.deepEqual(batches.flat(), messages);
});

Deno.test("messages behind a call wait for its result, however large other results are", async () => {
  const [batches, { messages }] = await both([user("p"), start, ...turns(100), end, user("q")]);
  assert.deepEqual(batches.flat(), messages);
});

Deno.test("messages behind a call without a result do not wait for ever", () => {
  const stream = new MessageStream({}, 3 * LONG.length);
  const events = [user("p"), start, ...turns(6), end, user("q")];
  const batches = events.map((event, at) => {
    stream.add({ ...event, seq: at + 1 } as never);
    return stream.take();
  });
  assert.ok(batches.filter(({ length }) => length > 0).length > 3);
  const messages = [...batches.flat(), ...stream.takeLast()];
  assert.match(JSON.stringify(messages[2]), /Not run: the session stopped/);
  assert.equal(messages.length, 3 + 2 * 6 + 1);
});
