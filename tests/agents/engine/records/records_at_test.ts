import assert from "node:assert/strict";
import { readRecords } from "../../../../lib/agents/engine/records/jsonl_records.ts";
import {
  readRecordsAt,
  type RecordPlace,
} from "../../../../lib/agents/engine/records/records_at.ts";
import type { Diagnostic } from "../../../../lib/core/log/diagnostic.ts";
import { tempFile } from "../../../_support/temp_file.ts";

Deno.test("records are read in the order asked for, near ones and far ones", async () => {
  const ids = Array.from({ length: 5000 }, (_, id) => id);
  const lines = ids.map((id) => JSON.stringify({ id, pad: "x".repeat(id % 400) }));
  using file = tempFile("a.jsonl", lines.join("\r\n"));
  const places: RecordPlace[] = [];
  for await (const batch of readRecords(file.path)) {
    places.push(...batch.map(({ position }) => position));
  }
  const wanted = [4999, 0, 1, 2, 3000, 3001, 10, 2999].map((id) => places[id] as RecordPlace);
  for (const asked of [wanted, places, []]) {
    const found: unknown[] = [];
    for await (const batch of readRecordsAt(file.path, asked)) {
      found.push(...batch.map(({ record }) => record?.value.id));
    }
    assert.deepEqual(found, asked.map((place) => places.indexOf(place)));
  }
});

Deno.test("a place without a record gives none, and is reported", async () => {
  using file = tempFile("a.jsonl", '{"id":1}\nnoise\n');
  const found: Diagnostic[] = [];
  const places = [{ offset: 9, length: 6, line: 2 }, { offset: 0, length: 9, line: 1 }];
  const records: unknown[] = [];
  for await (
    const batch of readRecordsAt(file.path, places, { report: (one) => void found.push(one) })
  ) {
    records.push(...batch.map(({ record }) => record?.value.id));
  }
  assert.deepEqual(records, [undefined, 1]);
  assert.deepEqual(found.map(({ code, offset }) => [code, offset]), [["malformed-line", 9]]);
});
