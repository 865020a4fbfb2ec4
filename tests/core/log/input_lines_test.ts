import assert from "node:assert/strict";
import { inputLines } from "../../../lib/core/log/input_lines.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import type { Line } from "../../../lib/core/log/line_splitter.ts";
import { textBytes } from "../../_support/log_bytes.ts";

const LIMITS = { max_line_bytes: 4, max_refused_bytes: 10 };

/** A line in short: its number and text, or that it is refused. */
function inShort({ line, bytes, oversized }: Line): string {
  return `${line} ${oversized ? "refused" : new TextDecoder().decode(bytes)}`;
}

async function linesOf(chunks: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const line of inputLines(ReadableStream.from(chunks.map(textBytes)), LIMITS)) {
    found.push(inShort(line));
  }
  return found;
}

Deno.test("inputLines gives a line over the limit once, however it is cut", async () => {
  const expected = ["1 one", "2 refused", "3 last"];
  const text = "one\ntoo long\nlast";
  assert.deepEqual(await linesOf([text]), expected);
  assert.deepEqual(await linesOf([...text]), expected);
  for (let cut = 1; cut < text.length; cut++) {
    assert.deepEqual(await linesOf([text.slice(0, cut), text.slice(cut)]), expected);
  }
  assert.deepEqual(await linesOf([..."12345"]), ["1 refused"]);
  assert.deepEqual(await linesOf([..."12345\n67890\n"]), ["1 refused", "2 refused"]);
});

Deno.test("inputLines gives a line over the limit before the line ends", async () => {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>();
  const input = writable.getWriter();
  const lines = inputLines(readable, LIMITS);
  input.write(textBytes("one\n1234"));
  assert.equal(inShort((await lines.next()).value as Line), "1 one");
  const refused = lines.next();
  input.write(textBytes("5"));
  assert.equal(inShort((await refused).value as Line), "2 refused");
  const next = lines.next();
  input.write(textBytes("67\nlast\n"));
  assert.equal(inShort((await next).value as Line), "3 last");
  input.close();
  assert.equal((await lines.next()).done, true);
});

function* endlessLine(): Generator<Uint8Array<ArrayBuffer>> {
  yield textBytes("one\n");
  for (;;) yield textBytes("x");
}

Deno.test("inputLines stops at a line that goes on beyond what may be passed over", async () => {
  const endless = ReadableStream.from(endlessLine());
  const found: string[] = [];
  await assert.rejects(async () => {
    for await (const line of inputLines(endless, LIMITS)) found.push(inShort(line));
  }, (error) => {
    assert.ok(error instanceof SessionError);
    assert.deepEqual([error.code, error.data], ["too-large", { limit: 10 }]);
    assert.equal(error.message, "Cannot read input: line 2 has more than 10 bytes");
    return true;
  });
  assert.deepEqual(found, ["1 one", "2 refused"]);
});
