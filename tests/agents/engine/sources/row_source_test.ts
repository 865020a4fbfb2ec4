/** Rows of numbers in memory: every tenth is damaged. */
import assert from "node:assert/strict";
import { formatReader } from "../../../../lib/agents/engine/format_reader.ts";
import type { SessionFormat } from "../../../../lib/agents/engine/session_format.ts";
import { reportRow } from "../../../../lib/agents/engine/sqlite/sqlite_reader.ts";
import type {
  RecordSink,
  SourceRecord,
} from "../../../../lib/agents/engine/records/source_record.ts";
import {
  type PlacedSource,
  positionBehind,
  type RecordSource,
} from "../../../../lib/agents/engine/sources/record_source.ts";
import { rowSource, type SessionRow } from "../../../../lib/agents/engine/sources/row_source.ts";
import { countSide, emptyAccount } from "../../../../lib/agents/contract/source_account.ts";

const SIZE = 10;

interface Toy {
  source: PlacedSource;
  /** Numbers of the rows that were read. */
  read: number[];
  /** Times that the rows are open. */
  open(): number;
}

function toy(count: number): Toy {
  const read: number[] = [];
  let open = 0;
  const at = (number: number, sink: RecordSink): SessionRow | undefined => {
    read.push(number);
    if (number % 10 !== 9) return { value: { number }, size: SIZE };
    reportRow(sink, { code: "malformed-line", detail: `row ${number}`, at: number });
    return undefined;
  };
  const source = rowSource(() => {
    open++;
    return {
      count,
      at,
      countRest: ({ account }) => countSide(account, "others", 3),
      [Symbol.dispose]: () => void open--,
    };
  });
  return { source, read, open: () => open };
}

async function all(batches: AsyncIterable<readonly SourceRecord[]>): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  for await (const batch of batches) records.push(...batch);
  return records;
}

function numbers(records: readonly SourceRecord[]): unknown[] {
  return records.map(({ value }) => value.number);
}

Deno.test("rows come in their order, and the damaged and the other ones are counted", async () => {
  const { source, open } = toy(200);
  const account = emptyAccount();
  const records = await all(source.read({ account }));
  assert.deepEqual(records.map(({ position }) => position.offset), numbers(records));
  assert.deepEqual([records.length, account.damage, account.side.others], [180, 20, 3]);
  assert.equal(account.unit, "rows");
  assert.equal(open(), 0);
});

Deno.test("a read goes on behind each row, and opens no row before it", async () => {
  const { source, read } = toy(150);
  const records = await all(source.read());
  for (const [index, record] of records.entries()) {
    read.length = 0;
    const rest = await all(source.read({}, positionBehind(record)));
    assert.deepEqual(rest, records.slice(index + 1));
    assert.ok(read.every((number) => number > record.position.offset));
  }
});

Deno.test("the last rows are those of so many bytes, and no other row is read", async () => {
  const { source, read, open } = toy(1000);
  const { records, whole } = await source.last(25 * SIZE);
  assert.equal(whole, false);
  assert.equal(records.length, 25);
  assert.equal(records.at(-1)?.value.number, 998);
  assert.ok(read.length < 30, `${read.length}`);
  assert.deepEqual(numbers((await source.last(1)).records), [998]);
  assert.equal((await source.last(1000 * SIZE)).whole, true);
  assert.equal(open(), 0);
});

Deno.test("a few rows of either edge are enough for a list where there are many", async () => {
  const { source, read, open } = toy(1000);
  const { head, tail = [], whole } = await source.edges(40 * SIZE);
  assert.deepEqual(numbers(head).slice(0, 3), [0, 1, 2]);
  assert.deepEqual(numbers(tail).slice(-3), [996, 997, 998]);
  assert.equal(whole, false);
  assert.ok(read.length < 50, `${read.length}`);
  const all = await source.edges(10_000 * SIZE);
  assert.deepEqual([all.whole, all.head.length], [true, 900]);
  assert.equal(open(), 0);
});

Deno.test("leaving the loop closes the rows, and a signal ends the read", async () => {
  const { source, open } = toy(1000);
  for await (const _ of source.read()) {
    assert.equal(open(), 1);
    break;
  }
  assert.equal(open(), 0);
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(all(source.read({ signal })), /enough/);
  assert.equal(open(), 0);
});

/** Even numbers are prompts, the others answers. */
function toyFormat(source: RecordSource): SessionFormat<null> {
  return {
    source: () => source,
    begin({ session, writer }): null {
      writer.emit("session_started", { session_id: session.id, created_at: "", cwd: "" });
      return null;
    },
    emit({ value: { number } }, _state, { writer }): void {
      const kind = Number(number) % 2 === 0 ? "user_message" : "assistant_message";
      writer.emit(kind, { content: `text ${number}` });
    },
    standsAlone: ({ value: { number } }) => Number(number) % 2 === 0,
  };
}

Deno.test("a row of a list is made of all rows where there are few, and of the edges of many", async () => {
  const session = { agent: "fen", id: "toy", path: "/toy.db" } as const;
  for (const [count, messages] of [[20, 18], [20_000, undefined]] as const) {
    const { source, read, open } = toy(count);
    const row = await formatReader(toyFormat(source))(session).summarize();
    assert.equal(row?.message_count, messages);
    assert.equal(row?.first_user_message, "text 0");
    assert.equal(row?.last_user_message, `text ${count - 2}`);
    assert.ok(read.length <= (messages === undefined ? 10_000 : count), `${read.length}`);
    assert.equal(open(), 0);
  }
});
