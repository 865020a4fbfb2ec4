import assert from "node:assert/strict";
import { join } from "node:path";
import {
  documentSource,
  readCutDocument,
} from "../../../../lib/agents/engine/sources/document_source.ts";
import { accountSum } from "../../../_support/account_sum.ts";
import { emptyAccount } from "../../../../lib/agents/contract/source_account.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

inDirectory.test("a document is one record, which its agent writes anew", async (folder) => {
  const path = join(folder, "one.json");
  Deno.writeTextFileSync(path, '{\n  "a": 1\n}\n');
  const source = documentSource(path);
  const [record, ...more] = (await Array.fromAsync(source.read())).flat();
  assert.ok(record !== undefined);
  assert.deepEqual([record.value, more], [{ a: 1 }, []]);
  assert.ok(source.rewritten);
});

inDirectory.test("a document that is cut is read as far as it goes, and reported", (folder) => {
  const path = join(folder, "one.json");
  for (
    const [text, value, ...found] of [
      ['[{"a":1}]', { list: [{ a: 1 }] }],
      ['[{"a":"half', { list: [{ a: "half" }] }, "torn-tail"],
      ['{"a":1,"b":[2,', { a: 1, b: [2] }, "torn-tail"],
      ["no JSON", undefined, "malformed-line"],
      [`{"a":${"[".repeat(3000)}${"]".repeat(3000)}}`, undefined, "too-deep"],
      [" \n", undefined],
    ] as const
  ) {
    Deno.writeTextFileSync(path, text);
    const codes: string[] = [];
    const account = emptyAccount();
    const report = ({ code }: { code: string }): number => codes.push(code);
    const document = readCutDocument(path, "list", { report, account });
    assert.deepEqual([document.value, codes], [value, found]);
    assert.equal(accountSum(account), text.length);
  }
});
