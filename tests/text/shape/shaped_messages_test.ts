/**
 * Each file of `testdata/shapes/messages/<shape>` says in its first line what it proves. Then come
 * conversations: our messages, one a line, and behind `=>` the request that they become. `-- --update`
 * writes the requests anew: read the difference before you commit it.
 */
import assert from "node:assert/strict";
import process from "node:process";
import type { Message } from "../../../lib/core/event/message.ts";
import { type RequestShape, toMessages } from "../../../lib/text/shape/message_shape.ts";

const UPDATE = process.argv.includes("--update");
const FOLDER = new URL("../../../testdata/shapes/messages/", import.meta.url);

function namesIn(folder: URL): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** The members of a request, and what a list holds, each on a line. */
function rendered(request: object): string {
  return Object.entries(request).map(([name, value]) =>
    Array.isArray(value)
      ? [`${name}:`, ...value.map((item) => JSON.stringify(item))].join("\n")
      : `${name}: ${JSON.stringify(value)}`
  ).join("\n");
}

function toldAnew(conversation: string, shape: RequestShape): string {
  const [given = ""] = conversation.split("\n=>\n");
  const messages = given.split("\n").map((line) => JSON.parse(line) as Message);
  const request = toMessages(messages, shape);
  // JSON would hide members that are undefined.
  assert.deepEqual(JSON.parse(JSON.stringify(request)), request);
  return `${given}\n=>\n${rendered(request)}`;
}

for (const shape of namesIn(FOLDER) as RequestShape[]) {
  for (const name of namesIn(new URL(`${shape}/`, FOLDER))) {
    const file = new URL(`${shape}/${name}`, FOLDER);
    const text = Deno.readTextFileSync(file);
    const [proves, ...conversations] = text.trimEnd().split("\n\n");
    Deno.test(`${shape}: ${proves}`, () => {
      const told = conversations.map((conversation) => toldAnew(conversation, shape));
      const whole = `${[proves, ...told].join("\n\n")}\n`;
      if (UPDATE) Deno.writeTextFileSync(file, whole);
      assert.equal(whole, Deno.readTextFileSync(file));
      assert.ok(conversations.length > 0);
    });
  }
}
