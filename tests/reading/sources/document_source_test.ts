import assert from "node:assert/strict";
import { join } from "node:path";
import { documentSource } from "../../../lib/reading/sources/document_source.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

Deno.test("a document is one record, which its agent writes anew", async () => {
  await withDirectory(async (folder) => {
    const path = join(folder, "one.json");
    Deno.writeTextFileSync(path, '{\n  "a": 1\n}\n');
    const source = documentSource(path);
    const [record, ...more] = (await Array.fromAsync(source.read())).flat();
    assert.ok(record !== undefined);
    assert.deepEqual([record.value, more], [{ a: 1 }, []]);
    assert.ok(source.rewritten);
  });
});
