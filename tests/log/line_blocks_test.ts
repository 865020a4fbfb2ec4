import assert from "node:assert/strict";
import { lineBlocks } from "../../lib/log/line_blocks.ts";
import { SessionError } from "../../lib/event/session_error.ts";
import { withDirectory } from "../_support/temp_directory.ts";

/** All bytes that come in blocks, and whether each block but the last ends with a line. */
function read(path: string): { text: string; blocks: number } {
  const decoder = new TextDecoder();
  let [text, blocks] = ["", 0];
  for (const { finder, end } of lineBlocks(path)) {
    blocks++;
    assert.ok(text === "" || text.endsWith("\n"));
    text += decoder.decode(finder.bytes.subarray(0, end));
  }
  return { text, blocks };
}

Deno.test("lineBlocks gives all lines of a file, whole, in blocks", () =>
  withDirectory((directory) => {
    const path = `${directory}/a.jsonl`;
    const line = `${"x".repeat(999)}\n`;
    const long = `${"y".repeat(5_000_000)}\n`;
    const cases = ["", "a", "a\n", "\n\na\n\nb", line.repeat(3000), line + long + line, long + "z"];
    for (const text of cases) {
      Deno.writeTextFileSync(path, text);
      const got = read(path);
      assert.equal(got.text === text, true, `${text.length} characters`);
    }
    Deno.writeTextFileSync(path, line.repeat(3000));
    assert.equal(read(path).blocks, 3);
  }));

Deno.test("lineBlocks leaves out a line that is too long, and goes on behind it", () =>
  withDirectory((directory) => {
    const path = `${directory}/a.jsonl`;
    const file = Deno.openSync(path, { write: true, create: true });
    file.writeSync(new TextEncoder().encode("first\n"));
    const much = new Uint8Array(1 << 20).fill(0x78);
    for (let count = 0; count < 70; count++) file.writeSync(much);
    file.writeSync(new TextEncoder().encode("\nlast\n"));
    file.close();
    assert.equal(read(path).text.replace(/\n+/g, "\n"), "first\nlast\n");
  }));

Deno.test("lineBlocks says what cannot be read, and two readers do not disturb each other", () =>
  withDirectory((directory) => {
    assert.throws(
      () => read(`${directory}/none`),
      (error) => error instanceof SessionError && error.code === "not-found",
    );
    Deno.writeTextFileSync(`${directory}/a`, "a\n".repeat(700_000));
    Deno.writeTextFileSync(`${directory}/b`, "b\n".repeat(700_000));
    for (const { finder, end } of lineBlocks(`${directory}/a`)) {
      assert.equal(read(`${directory}/b`).text.length, 1_400_000);
      assert.equal(finder.bytes.subarray(0, end).includes(0x62), false);
    }
  }));
