import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "npm:fast-check@4.10.2";
import type { NewEvent } from "../../../../lib/core/event/envelope.ts";
import { readEvents } from "../../../../lib/core/log/read_events.ts";
import { foldBatches } from "../../../../lib/core/projection/projection.ts";
import { transcript } from "../../../../lib/core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../../../lib/core/projection/transcript/item.ts";
import { ownAgent } from "../../../../lib/library/machine/own/own_agent.ts";
import type { AgentReadOptions } from "../../../../lib/agents/contract/agent.ts";
import { emptyAccount } from "../../../../lib/agents/contract/source_account.ts";
import { MAX_LINE_BYTES } from "../../../../lib/core/log/line_splitter.ts";
import { findTail } from "../../../../lib/library/machine/own/find_tail.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";
import {
  assistant,
  linesOf,
  logOf,
  toolEnd,
  toolStart,
  user,
} from "../../../_support/log_bytes.ts";
import { randomLog } from "../../../_support/random_log.ts";
import { inDirectory, withDirectory } from "../../../_support/temp_directory.ts";

async function itemsOf(path: string, from = 0): Promise<TranscriptItem[]> {
  return await foldBatches(transcript(), readEvents(path, { from }));
}

/** Number of the event that the tail of a log begins with; 0 where it has none. */
async function tailOf(events: NewEvent[], messages: number): Promise<number> {
  let first = 0;
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    Deno.writeFileSync(path, logOf(events));
    const tail = await findTail(path, { messages });
    if (tail === undefined) return;
    assert.equal(tail.to, Deno.statSync(path).size);
    let offset = 0;
    const starts = linesOf(events).map(({ length }) => (offset += length) - length);
    first = starts.indexOf(tail.from) + 1;
  });
  return first;
}

function inTurn(turn_id: string, ...events: NewEvent[]): NewEvent[] {
  return events.map((event) => ({ ...event, turn_id }));
}

Deno.test("the tail of a log begins at a prompt, with at least so many messages", async () => {
  const turns = ["t1", "t2", "t3"].flatMap((id) => inTurn(id, user("a"), assistant("b")));
  assert.equal(await tailOf(turns, 1), 5);
  assert.equal(await tailOf(turns, 2), 5);
  assert.equal(await tailOf(turns, 3), 3);
  assert.equal(await tailOf(turns, 100), 1);
});

Deno.test("the tail of a log never begins within a turn", async () => {
  const events = [
    ...inTurn("t1", user("a"), assistant("b")),
    ...inTurn("t2", user("c"), toolStart("c1"), user("meanwhile"), toolEnd("c1"), assistant("d")),
  ];
  assert.equal(await tailOf(events, 1), 3);
  assert.equal(await tailOf(events, 4), 1);
});

inDirectory.test("a turn that is longer than is looked for has no tail", async (directory) => {
  const path = join(directory, "log");
  const long = assistant("x".repeat(1000));
  Deno.writeFileSync(path, logOf(inTurn("t1", user("a"), ...Array(50).fill(long))));
  assert.equal(await findTail(path, { messages: 1, most_bytes: 20_000 }), undefined);
  assert.equal((await findTail(path, { messages: 1, most_bytes: 200_000 }))?.from, 0);
});

Deno.test("a hole at the end of a log is named, and not read again", async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    const bytes = logOf(inTurn("t1", user("a")));
    Deno.writeFileSync(path, bytes);
    Deno.truncateSync(path, MAX_LINE_BYTES + 2 * bytes.length);
    const found: string[] = [];
    const report = ({ code }: { code: string }): unknown => found.push(code);
    const { from, to } = await findTail(path, { messages: 3, report }) ?? {};
    assert.deepEqual([from, to, found], [0, bytes.length, ["oversized-line"]]);
  });
});

const ROUNDS = roundsOf(400, 80);

Deno.test("a transcript of the tail ends as that of the whole log does, whatever is in it", async () => {
  let [shorter, compared] = [0, 0];
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    const property = fc.asyncProperty(randomLog, fc.integer({ min: 1, max: 6 }), async (
      bytes,
      messages,
    ) => {
      Deno.writeFileSync(path, bytes);
      const tail = await findTail(path, { messages });
      assert.ok(tail !== undefined);
      const whole = await itemsOf(path);
      const items = await itemsOf(path, tail.from);
      assert.ok(items.length >= messages || tail.from === 0);
      assert.deepEqual(items, items.length === 0 ? [] : whole.slice(-items.length));
      shorter += Number(tail.from > 0);
      compared += items.length;
    });
    await fc.assert(property, { seed: 20261122, numRuns: ROUNDS });
  });
  assert.ok(
    shorter > (ROUNDS === 400 ? 60 : ROUNDS / 16) && compared > 3.75 * ROUNDS,
    `${shorter} ${compared}`,
  );
});

inDirectory.test("reading the last messages of a log gives its last turns, unless all of it is counted", async (directory) => {
  const path = join(directory, "log");
  const turns = ["t1", "t2", "t3"].flatMap((id) => inTurn(id, user("a"), assistant("b")));
  Deno.writeFileSync(path, logOf(turns));
  const session = { agent: ownAgent.name, id: "s1", path };
  const seqsOf = async (options: AgentReadOptions): Promise<number[]> => {
    const events = await Array.fromAsync(ownAgent.open(session).read(options));
    return events.flat().map(({ seq }) => seq);
  };
  assert.deepEqual(await seqsOf({ last_messages: 1 }), [5, 6]);
  assert.deepEqual(await seqsOf({ last_messages: 3 }), [3, 4, 5, 6]);
  const account = emptyAccount();
  assert.deepEqual(await seqsOf({ last_messages: 1, account }), [1, 2, 3, 4, 5, 6]);
  assert.equal(account.events, Deno.statSync(path).size);
});
