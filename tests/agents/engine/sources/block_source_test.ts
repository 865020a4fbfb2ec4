/** A text of blocks: lines that begin with `?` are a prompt, the others an answer. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { formatReader } from "../../../../lib/agents/engine/format_reader.ts";
import type { SourceRecord } from "../../../../lib/agents/engine/records/source_record.ts";
import type { SessionFormat } from "../../../../lib/agents/engine/session_format.ts";
import {
  blockSource,
  type BlockSplitter,
  type SourceRange,
  type TextLine,
} from "../../../../lib/agents/engine/sources/block_source.ts";
import {
  type PlacedSource,
  positionBehind,
} from "../../../../lib/agents/engine/sources/record_source.ts";
import { accountSum } from "../../../_support/account_sum.ts";
import { emptyAccount } from "../../../../lib/agents/contract/source_account.ts";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

function isPrompt({ text }: TextLine): boolean {
  return text.startsWith("?");
}

class ToyBlocks implements BlockSplitter {
  #lines: TextLine[] = [];

  take(line: TextLine): SourceRecord[] {
    const [first] = this.#lines;
    const ended = first === undefined || isPrompt(first) === isPrompt(line) ? [] : this.end();
    this.#lines.push(line);
    return ended;
  }

  end(): SourceRecord[] {
    const lines = this.#lines.splice(0);
    const [first, last] = [lines[0], lines.at(-1)];
    if (first === undefined || last === undefined) return [];
    const { offset, line } = first.position;
    const behind = {
      offset: last.position.offset + last.position.length,
      line: last.position.line + 1,
    };
    return [{
      value: { prompt: isPrompt(first), text: lines.map(({ text }) => text).join("") },
      position: { offset, length: behind.offset - offset, line },
      weight: lines.reduce((sum, { weight }) => sum + weight, 0),
      behind,
    }];
  }
}

function toySource(path: string, range: SourceRange | undefined): PlacedSource {
  return blockSource({
    path,
    range: () => Promise.resolve(range),
    splitter: () => new ToyBlocks(),
    begins: (line, before) => isPrompt(line) && !isPrompt(before),
  });
}

const OTHERS = "other\nlines\n";

/** A session of many blocks, with other sessions around it. */
async function withText(
  prompts: number,
  run: (session: AgentSession, range: SourceRange) => Promise<void>,
): Promise<void> {
  await withDirectory(async (folder) => {
    const path = join(folder, "toy.txt");
    const blocks = Array.from(
      { length: prompts },
      (_, at) => `? prompt ${at}\n? ${"more ".repeat(at % 9)}\nanswer ${at}\n\n  the end\n`,
    );
    const text = blocks.join("");
    Deno.writeTextFileSync(path, OTHERS + text + OTHERS);
    const to = OTHERS.length + text.length;
    const range = { from: OTHERS.length, to, line: 3, size: to + OTHERS.length };
    await run({ agent: "fen", id: "toy", path }, range);
  });
}

function toyFormat(range: SourceRange | undefined): SessionFormat<null> {
  return {
    source: ({ path }) => toySource(path, range),
    begin({ session, writer }): null {
      writer.emit("session_started", { session_id: session.id, created_at: "", cwd: "" });
      return null;
    },
    emit(record, _state, { writer }): void {
      const content = String(record.value.text);
      writer.emit(record.value.prompt ? "user_message" : "assistant_message", { content }, {
        record,
      });
    },
    standsAlone: ({ value }) => value.prompt === true,
  };
}

async function eventsOf(batches: AsyncIterable<readonly LogEvent[]>): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for await (const batch of batches) events.push(...batch);
  return events;
}

Deno.test("a block is a record, and the bytes of the file are counted once", async () => {
  await withText(50, async (session, range) => {
    const account = emptyAccount();
    const events = await eventsOf(formatReader(toyFormat(range))(session).read({ account }));
    assert.equal(events.length, 101);
    assert.deepEqual(
      events.slice(1, 3).map(({ kind, position }) => [kind, position?.offset, position?.line]),
      [["user_message", 12, 3], ["assistant_message", 26, 5]],
    );
    assert.equal(account.side["other sessions"], 2 * OTHERS.length);
    assert.equal(account.blank, 50);
    assert.deepEqual([accountSum(account), account.total], [range.size, range.size]);
  });
});

Deno.test("a session that is no longer in its file has no record", async () => {
  await withText(2, async (session, range) => {
    const account = emptyAccount();
    const source = toySource(session.path, undefined);
    for await (const _ of source.read({ account })) assert.fail();
    assert.equal(account.side["other sessions"], range.size);
    assert.deepEqual(await source.last(1), { records: [], whole: true });
    assert.deepEqual(await source.edges(1), { head: [], tail: [], whole: true });
  });
});

Deno.test("a read goes on behind each block, with its line numbers", async () => {
  await withText(9, async (session, range) => {
    const source = toySource(session.path, range);
    const records: SourceRecord[] = [];
    for await (const batch of source.read()) records.push(...batch);
    assert.equal(records.length, 18);
    for (const [index, record] of records.entries()) {
      const rest: SourceRecord[] = [];
      for await (const batch of source.read({}, positionBehind(record))) rest.push(...batch);
      assert.deepEqual(rest, records.slice(index + 1));
    }
  });
});

Deno.test("the last blocks are read from one that surely begins there", async () => {
  await withText(400, async (session, range) => {
    const source = toySource(session.path, range);
    const all: SourceRecord[] = [];
    for await (const batch of source.read()) all.push(...batch);
    for (const bytes of [1, 40, 500, 5000]) {
      const { records, whole } = await source.last(bytes);
      assert.equal(whole, false);
      assert.equal(records.length > 0, bytes > 100);
      assert.ok(records[0] === undefined || records[0].value.prompt === true);
      const end = all.slice(all.length - records.length);
      assert.deepEqual(records.map(({ value }) => value), end.map(({ value }) => value));
      assert.ok(range.to - (records[0]?.position.offset ?? range.to) < bytes);
    }
    assert.equal((await source.last(range.to)).whole, true);
  });
});

Deno.test("a row is made of the first and the last blocks, and has the bytes of its part", async () => {
  await withText(4000, async (session, range) => {
    const reader = formatReader(toyFormat(range))(session);
    const row = await reader.summarize();
    const exact = await reader.summarize({ exact: true });
    assert.equal(row?.message_count, undefined);
    assert.equal(exact?.message_count, 8_000);
    assert.equal(row?.first_user_message, exact?.first_user_message);
    assert.equal(row?.last_user_message, exact?.last_user_message);
    assert.equal(row?.bytes, range.to - range.from);
  });
});
