import assert from "node:assert/strict";
import { fileResults } from "./file_results.ts";

Deno.test("results of a group are told by file, up to the one in which it ended", () => {
  const lines = [
    ...[
      "file: a_test.ts ... ok (1ms)",
      "one ...",
      "two lines ... FAILED (2ms)",
      "three ... ok (0ms)",
    ],
    ...["file: b_test.ts ... ok (1ms)", "four ... ignored (0ms)", "five ..."],
  ];
  assert.deepEqual(fileResults(lines.join("\r\n")), [
    { path: "a_test.ts", passed: 1, failed: ["two lines"], ended: true },
    { path: "b_test.ts", passed: 0, failed: [], ended: false },
  ]);
});
