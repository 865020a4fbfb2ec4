/**
 * Each file of `testdata/shapes/messages/<shape>` says in its first line what it proves. Then come
 * conversations: our messages, one a line, and behind `=>` the request that they become. In `steps`
 * are messages of the shape itself, which a session takes one by one. `deno task cases` writes the
 * requests anew: read the difference before you commit it.
 */
import assert from "node:assert/strict";
import process from "node:process";
import type { Message } from "../../../lib/core/event/message.ts";
import { fromMessages } from "../../../lib/text/shape/from_messages.ts";
import { type RequestShape, toMessages } from "../../../lib/text/shape/message_shape.ts";
import { memoryStore } from "../../../mod.ts";
import { namesIn, textOf, write } from "./_testdata.ts";

const UPDATE = process.argv.includes("--update");

/** The members of a request, and what a list holds, each on a line. */
function rendered(request: object): string {
  return Object.entries(request).map(([name, value]) =>
    Array.isArray(value)
      ? [`${name}:`, ...value.map((item) => JSON.stringify(item))].join("\n")
      : `${name}: ${JSON.stringify(value)}`
  ).join("\n");
}

/** The request of a session that took messages in so many steps. */
async function requestAfter(steps: readonly unknown[][], shape: RequestShape): Promise<object> {
  await using session = memoryStore().create({ cwd: "/work" });
  for (const step of steps) {
    const { messages: before } = await session.conversation();
    await session.appendAll(fromMessages(shape, step, { before }));
  }
  const { messages } = await session.conversation();
  const parts = messages.flatMap(({ content }) => typeof content === "string" ? [] : content);
  const calls = parts.filter((part) => part.type === "tool_call");
  for (const part of parts) {
    if (part.type !== "tool_result") continue;
    assert.equal(part.name, calls.find(({ call_id }) => call_id === part.call_id)?.name);
  }
  return await session.request(shape);
}

type Take = (messages: unknown[], shape: RequestShape) => Promise<object> | object;

const KINDS: Readonly<Record<string, Take>> = {
  messages: (messages, shape) => toMessages(messages as Message[], shape),
  steps: async (messages, shape) => {
    const request = await requestAfter(messages.map((message) => [message]), shape);
    assert.deepEqual(await requestAfter([messages], shape), request, "at once as one by one");
    return request;
  },
};

async function toldAnew(conversation: string, shape: RequestShape, take: Take): Promise<string> {
  const [given = ""] = conversation.split(/\n=>(?:\n|$)/);
  const request = await take(given.split("\n").map((line) => JSON.parse(line)), shape);
  // JSON would hide members that are undefined.
  assert.deepEqual(JSON.parse(JSON.stringify(request)), request);
  return `${given}\n=>\n${rendered(request)}`;
}

for (const [kind, take] of Object.entries(KINDS)) {
  for (const shape of namesIn(kind) as RequestShape[]) {
    for (const file of namesIn(`${kind}/${shape}`)) {
      const path = `${kind}/${shape}/${file}`;
      const [proves, ...conversations] = textOf(path).trimEnd().split("\n\n");
      Deno.test(`${shape}: ${proves}`, async () => {
        const told = [proves];
        for (const given of conversations) told.push(await toldAnew(given, shape, take));
        const text = `${told.join("\n\n")}\n`;
        if (UPDATE) write(path, text);
        assert.equal(text, textOf(path));
        assert.ok(told.length > 1);
      });
    }
  }
}
