import assert from "node:assert/strict";
import { formatBytes } from "../../../lib/text/render/byte_size.ts";

Deno.test("formatBytes keeps one decimal below a hundred and never writes a thousand", () => {
  const cases: [number, string][] = [
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1.0 KB"],
    [4_096, "4.1 KB"],
    [12_345, "12.3 KB"],
    [99_960, "100 KB"],
    [312_000, "312 KB"],
    [999_600, "1.0 MB"],
    [2_147_483_648, "2.1 GB"],
    [5e15, "5000 TB"],
  ];
  for (const [bytes, text] of cases) assert.equal(formatBytes(bytes), text);
});
