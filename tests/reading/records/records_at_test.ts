import assert from "node:assert/strict";
import { readRecords } from "../../../lib/reading/records/jsonl_records.ts";
import { readRecordsAt, type RecordPlace } from "../../../lib/reading/records/records_at.ts";
import type { Diagnostic } from "../../../lib/log/diagnostic.ts";

Deno.test("records are read in the order asked for, near ones and far ones", async () => {
  const path = await Deno.makeTempFile();
  const lines = Array.from(
    { length: 5000 },
    (_, id) => JSON.stringify({ id, pad: "x".repeat(id % 400) }),
  );
  await Deno.writeTextFile(path, lines.join("\r\n"));
  const places: RecordPlace[] = [];
  for await (const batch of readRecords(path)) {
    places.push(...batch.map(({ position }) => position));
  }
  const wanted = [4999, 0, 1, 2, 3000, 3001, 10, 2999].map((id) => places[id] as RecordPlace);
  for (const asked of [wanted, places, []]) {
    const found: unknown[] = [];
    for await (const batch of readRecordsAt(path, asked)) {
      found.push(...batch.map(({ record }) => record?.value.id));
    }
    assert.deepEqual(found, asked.map((place) => places.indexOf(place)));
  }
  await Deno.remove(path);
});

Deno.test("a place without a record gives none, and is reported", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, '{"id":1}\nnoise\n');
  const found: Diagnostic[] = [];
  const places = [{ offset: 9, length: 6, line: 2 }, { offset: 0, length: 9, line: 1 }];
  const records: unknown[] = [];
  for await (
    const batch of readRecordsAt(path, places, { report: (one) => void found.push(one) })
  ) {
    records.push(...batch.map(({ record }) => record?.value.id));
  }
  assert.deepEqual(records, [undefined, 1]);
  assert.deepEqual(found.map(({ code, offset }) => [code, offset]), [["malformed-line", 9]]);
  await Deno.remove(path);
});
