import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { textPattern } from "../../../../lib/core/log/byte_pattern.ts";
import { type Diagnostic, isDamage } from "../../../../lib/core/log/diagnostic.ts";
import {
  markedLines,
  readRecords,
  readRecordsFromEnd,
} from "../../../../lib/agents/engine/records/jsonl_records.ts";
import { type LineSkip, skipWithout } from "../../../../lib/agents/engine/records/taken_lines.ts";
import type { SourceRecord } from "../../../../lib/agents/engine/records/source_record.ts";
import { accountSum } from "../../../_support/account_sum.ts";
import { emptyAccount } from "../../../../lib/agents/contract/source_account.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";
import { tempFile } from "../../../_support/temp_file.ts";

interface Found {
  records: SourceRecord[];
  found: Diagnostic[];
  account: ReturnType<typeof emptyAccount>;
}

async function withFile<Result>(
  content: string | Uint8Array,
  run: (path: string) => Promise<Result>,
): Promise<Result> {
  using file = tempFile("a.jsonl", content);
  return await run(file.path);
}

async function readAll(
  content: string | Uint8Array,
  options: { skip?: LineSkip; max_line_bytes?: number } = {},
): Promise<Found> {
  const read: Found = { records: [], found: [], account: emptyAccount() };
  const report = (diagnostic: Diagnostic): void => void read.found.push(diagnostic);
  await withFile(content, async (path) => {
    for await (const batch of readRecords(path, { report, account: read.account, ...options })) {
      read.records.push(...batch);
    }
  });
  return read;
}

function ids({ records }: Found): unknown[] {
  return records.map(({ value }) => value.id);
}

function codes({ found }: Found): string[] {
  return found.map(({ code }) => code);
}

const ONE = '{"id":1,"text":"é"}';
const TWO = '{"id":2}';

Deno.test("records come in order, with their places", async () => {
  const read = await readAll(`${ONE}\n${TWO}\n`);
  assert.deepEqual(ids(read), [1, 2]);
  assert.deepEqual(read.records.map(({ position }) => position), [
    { offset: 0, length: 21, line: 1 },
    { offset: 21, length: 9, line: 2 },
  ]);
  assert.deepEqual(read.found, []);
});

Deno.test("a byte order mark, CRLF, blanks and a lost last newline cost nothing", async () => {
  const read = await readAll(`\ufeff${ONE}\r\n\n \t\n${TWO}`);
  assert.deepEqual(ids(read), [1, 2]);
  assert.equal(read.account.blank, 4);
  assert.deepEqual(read.found, []);
});

Deno.test("damage costs its own line, and whole records on it are kept", async () => {
  const cases: [string | Uint8Array, unknown[], string[]][] = [
    [`${ONE}\nnoise\n${TWO}\n`, [1, 2], ["malformed-line"]],
    [`${ONE}\n"text"\n[1]\n${TWO}\n`, [1, 2], ["malformed-line", "malformed-line"]],
    [`${ONE}\n${TWO.slice(0, 5)}`, [1], ["torn-tail"]],
    [`{"id":0,"te${ONE}\n${TWO}\n`, [1, 2], ["glued-line"]],
    [`${ONE}${TWO}\n`, [1, 2], []],
    [`${ONE}\n\0\0\0${TWO}\n`, [1, 2], ["nul-run"]],
    [`{"deep":${"[".repeat(600)}${"]".repeat(600)}}\n${TWO}\n`, [2], ["too-deep"]],
  ];
  for (const [content, expected, found] of cases) {
    const read = await readAll(content);
    assert.deepEqual(ids(read), expected, String(content).slice(0, 40));
    assert.deepEqual(codes(read), found, String(content).slice(0, 40));
    const records = read.records.reduce((sum, { position }) => sum + position.length, 0);
    const size = new TextEncoder().encode(content as string).length;
    assert.equal(read.account.total + records, size, "every byte is a record's or accounted for");
    const damage = read.found.filter(({ code }) => isDamage(code))
      .reduce((sum, { length }) => sum + length, 0);
    assert.equal(read.account.damage, damage);
  }
});

Deno.test("bytes that are no UTF-8 are shown and reported; the character for them is no fault", async () => {
  const broken = new TextEncoder().encode('{"id":1,"t":"??"}\n');
  broken[13] = 0xff;
  assert.deepEqual(codes(await readAll(broken)), ["invalid-utf8"]);
  assert.deepEqual(codes(await readAll('{"id":1,"t":"\ufffd"}\n')), []);
});

Deno.test("a line over the limit is passed over", async () => {
  const read = await readAll(`${ONE}\n${TWO}\n`, { max_line_bytes: 12 });
  assert.deepEqual(ids(read), [2]);
  assert.deepEqual(codes(read), ["oversized-line"]);
});

Deno.test("side records are named by their bytes, counted and not parsed", async () => {
  const skip: LineSkip = ({ finder: { bytes } }, start) =>
    bytes[start + 2] === 0x73 ? "side" : undefined;
  const read = await readAll(`{"side":not json}\n${TWO}\n`, { skip });
  assert.deepEqual(ids(read), [2]);
  assert.deepEqual(read.account.side, { side: 18 });
  assert.equal(accountSum(read.account), read.account.total);
});

Deno.test("lines without a text are not parsed, however long they are", async () => {
  const x = "x".repeat(70_000);
  const lines = [
    `{"id":1,"${x}":"","mark":1}`,
    `{"id":2,"${x}":""}`,
    '{"id":3,"é":0,"mark":1}',
    "{",
  ];
  const read = await readAll(lines.join("\n") + "\n", { skip: skipWithout('"mark"') });
  assert.deepEqual(ids(read), [1, 3]);
  assert.deepEqual(codes(read), []);
});

Deno.test("read from the end, the records are the same, last one first", async () => {
  const lines = Array.from(
    { length: 20000 },
    (_, id) => JSON.stringify({ id, text: "x".repeat(id % 90) }),
  );
  await withFile(`{"id":-1,"t${lines.join("\n")}\n`, async (path) => {
    const forward: unknown[] = [];
    for await (const batch of readRecords(path)) {
      forward.push(...batch.map(({ value }) => value.id));
    }
    const backward: unknown[] = [];
    for await (const batch of readRecordsFromEnd(path)) {
      backward.push(...batch.map(({ value }) => value.id));
    }
    assert.equal(forward.length, 20000);
    assert.deepEqual(backward, forward.reverse());
  });
});

Deno.test("leaving the loop closes the file; a signal ends it", async () => {
  await withFile(`${ONE}\n${TWO}\n`, async (path) => {
    for await (const _ of readRecords(path)) break;
    for await (const _ of readRecordsFromEnd(path)) break;
    const signal = AbortSignal.abort();
    await assert.rejects(async () => {
      for await (const _ of readRecords(path, { signal })) assert.fail();
    });
  });
});

Deno.test("a missing file and a folder are typed errors", async () => {
  using file = tempFile("a.jsonl", "");
  const { folder } = file;
  for (const [path, code] of [[`${folder}/none`, "not-found"], [folder, "unsupported-source"]]) {
    for (const read of [readRecords, readRecordsFromEnd]) {
      await assert.rejects(
        async () => {
          for await (const _ of read(path as string)) assert.fail();
        },
        (error) => error instanceof SessionError && error.code === code,
      );
    }
  }
});

const PATTERNS = [textPattern('"one"'), textPattern('"two"')];

inDirectory.test("finds each line that holds one of some texts once, in their order", (folder) => {
  const path = join(folder, "lines.jsonl");
  const lines = ['{"two":"one"}', "{}", '["one","one","two"]', "no", "", 'é "two" cut'];
  Deno.writeTextFileSync(path, lines.join("\n"));
  const found = [...markedLines(path, PATTERNS)].flat();
  assert.deepEqual(found, [lines[0], lines[2], lines[5]]);
  Deno.writeTextFileSync(path, "");
  assert.deepEqual([...markedLines(path, PATTERNS)].flat(), []);
});
