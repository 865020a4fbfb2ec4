import assert from "node:assert/strict";
import { join } from "node:path";
import { appendLine } from "../../lib/session/append_line.ts";
import { withDirectory } from "../_support/temp_directory.ts";

Deno.test("appendLine puts each value on a line of its own, behind a torn one as well", async () => {
  await withDirectory((directory) => {
    const path = join(directory, "record.jsonl");
    appendLine(path, { one: 1 });
    Deno.writeTextFileSync(path, '{"to', { append: true });
    appendLine(path, { two: "é\n" });
    const lines = Deno.readTextFileSync(path).split("\n").filter((line) => line !== "");
    assert.deepEqual(lines, ['{"one":1}', '{"to', '{"two":"é\\n"}']);
    if (Deno.build.os !== "windows") assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  });
});
