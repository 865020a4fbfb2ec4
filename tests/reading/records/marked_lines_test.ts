import assert from "node:assert/strict";
import { join } from "node:path";
import { textPattern } from "../../../lib/log/byte_pattern.ts";
import { markedLines } from "../../../lib/reading/records/marked_lines.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

const PATTERNS = [textPattern('"one"'), textPattern('"two"')];

Deno.test("finds each line that holds one of some texts once, in their order", async () => {
  await withDirectory((folder) => {
    const path = join(folder, "lines.jsonl");
    const lines = ['{"two":"one"}', "{}", '["one","one","two"]', "no", "", 'é "two" cut'];
    Deno.writeTextFileSync(path, lines.join("\n"));
    const found = [...markedLines(path, PATTERNS)].flat();
    assert.deepEqual(found, [lines[0], lines[2], lines[5]]);
    Deno.writeTextFileSync(path, "");
    assert.deepEqual([...markedLines(path, PATTERNS)].flat(), []);
  });
});
