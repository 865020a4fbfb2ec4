import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { EventParseStream } from "../../../lib/core/log/event_parse_stream.ts";
import { LineStream } from "../../../lib/core/log/line_stream.ts";
import {
  conversation,
  type ConversationOptions,
} from "../../../lib/core/projection/conversation/conversation.ts";
import {
  foldBatches,
  foldEvents,
  type ItemProjection,
  type Projection,
  ProjectionStream,
} from "../../../lib/core/projection/projection.ts";
import { summary } from "../../../lib/core/projection/summary.ts";
import { transcript } from "../../../lib/core/projection/transcript/transcript.ts";
import { usage } from "../../_support/usage.ts";
import { knownEvents } from "../../_support/known_events.ts";
import { type Bytes, readNow, toolEnd, toolStart, user } from "../../_support/log_bytes.ts";
import { randomLog } from "../../_support/random_log.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";

const RUNS = ALL_TORTURE ? 30 : 8;

const OPTIONS: ConversationOptions[] = (["include", "omit"] as const).flatMap((tools) =>
  (["include", "omit"] as const).map((reasoning) => ({ tools, reasoning }))
);

/** Chunks of `size` bytes. */
function* chunksOf(bytes: Bytes, size: number): Generator<Bytes> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** What comes out of the pipeline with only the kinds that the projection needs parsed. */
async function piped<State, Output>(
  bytes: Bytes,
  size: number,
  projection: Projection<State, Output> | ItemProjection<State, Output>,
): Promise<Output[]> {
  const options = { kinds: projection.needs, after_seq: 0 };
  return await Array.fromAsync(
    ReadableStream.from(chunksOf(bytes, size))
      .pipeThrough(new LineStream({ recycle: (chunk) => void chunk.fill(0x58) }))
      .pipeThrough(new EventParseStream(options))
      .pipeThrough(new ProjectionStream(projection)),
  );
}

Deno.test("ProjectionStream gives the one result of a fold at the end", async () => {
  const batches = [knownEvents([user("a")]), [], knownEvents([user("b")], 2)];
  const results = await Array.fromAsync(
    ReadableStream.from(batches).pipeThrough(new ProjectionStream(conversation())),
  );
  assert.equal(results.length, 1);
  assert.deepEqual(results[0]?.messages.map(({ content }) => content), ["a", "b"]);
});

Deno.test("ProjectionStream gives items as they come, and what was open at the end", async () => {
  const pipe = new ProjectionStream(transcript());
  const writer = pipe.writable.getWriter();
  const items = pipe.readable[Symbol.asyncIterator]();
  await writer.ready;
  const written = writer.write(knownEvents([user("a"), toolStart("c1"), user("b")]));
  assert.equal((await items.next()).value?.seq, 1);
  await written;
  const rest = [items.next(), items.next(), items.next()];
  await writer.write(knownEvents([toolEnd("c1")], 4));
  await writer.close();
  const [tool, prompt, end] = await Promise.all(rest);
  assert.deepEqual([tool?.value?.seq, tool?.value?.end_seq, prompt?.value?.seq], [2, 4, 3]);
  assert.equal(end?.done, true);
});

Deno.test("ProjectionStream of no events gives the projection of an empty log", async () => {
  const none: (readonly LogEvent[])[] = [];
  const results = await Array.fromAsync(
    ReadableStream.from(none).pipeThrough(new ProjectionStream(summary())),
  );
  assert.deepEqual(results, [foldEvents(summary(), [])]);
  const items = await Array.fromAsync(
    ReadableStream.from(none).pipeThrough(new ProjectionStream(transcript())),
  );
  assert.deepEqual(items, []);
});

Deno.test("foldBatches gives what foldEvents gives", async () => {
  const events = knownEvents([user("a"), user("b")]);
  const batches = ReadableStream.from([[], events.slice(0, 1), events.slice(1)]);
  assert.deepEqual(await foldBatches(summary(), batches), foldEvents(summary(), events));
});

// Slow: every projection is made for each cut.
Deno.test("every projection is the same from memory and through the pipeline, however it is cut", async () => {
  const seen = { events: 0, compacted: 0, damaged: 0 };
  await fc.assert(
    fc.asyncProperty(randomLog, async (bytes) => {
      const { events, diagnostics } = readNow(bytes);
      seen.events += events.length;
      seen.damaged += Number(diagnostics.length > 0);
      const whole = Math.max(1, bytes.length);
      const conversations = OPTIONS.map((options) => foldEvents(conversation(options), events));
      const [plain, extended] = [false, true]
        .map((extensions) => foldEvents(transcript({ extensions }), events));
      const [summed, used] = [foldEvents(summary(), events), foldEvents(usage(), events)];
      for (const size of [1, 7, 64, whole]) {
        for (const [index, options] of OPTIONS.entries()) {
          const fromMemory = conversations[index];
          seen.compacted += Number(fromMemory?.compaction_seq !== undefined);
          assert.deepEqual(await piped(bytes, size, conversation(options)), [fromMemory]);
        }
        assert.deepEqual(await piped(bytes, size, transcript({ extensions: false })), plain);
        assert.deepEqual(await piped(bytes, size, transcript({ extensions: true })), extended);
        assert.deepEqual(await piped(bytes, size, summary()), [summed]);
        assert.deepEqual(await piped(bytes, size, usage()), [used]);
      }
    }),
    { seed: 20261121, numRuns: RUNS },
  );
  assert.ok(
    seen.events > 7 * RUNS && seen.compacted > 2 * RUNS && seen.damaged > RUNS / 2,
    JSON.stringify(seen),
  );
});
