import assert from "node:assert/strict";
import { join } from "node:path";
import { textPattern } from "../../../lib/core/log/byte_pattern.ts";
import { linesHolding } from "../../../lib/core/log/lines_holding.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";

interface FoundLine {
  text: string;
  offset: number;
  length: number;
  terminated: boolean;
}

async function linesIn(
  path: string,
  words: readonly string[],
  block_bytes?: number,
): Promise<FoundLine[]> {
  using file = Deno.openSync(path, { read: true });
  const { size: to } = file.statSync();
  const options = block_bytes === undefined ? { to } : { to, block_bytes };
  const lines = await Array.fromAsync(linesHolding(file, words.map(textPattern), options));
  return lines.map((line) => ({
    text: new TextDecoder().decode(line.bytes),
    offset: line.offset,
    length: line.length,
    terminated: line.terminated,
  }));
}

Deno.test("linesHolding gives the lines that hold a text, last first, whatever the blocks", async () => {
  const random = mulberry32(11);
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    let found = 0;
    for (let round = 0; round < roundsOf(60, 6); round++) {
      const lines = Array.from({ length: 40 }, () => {
        const filler = ".".repeat(Math.floor(random() * 60));
        const kind = random();
        if (kind < 0.15) return `${filler}needle${filler}`;
        return kind < 0.25 ? `needle${filler}thorn` : `${filler}need${filler}`;
      });
      const text = lines.join("\n") + (round % 2 === 0 ? "\n" : "");
      Deno.writeTextFileSync(path, text);
      let offset = 0;
      const all = lines.map((line, index): FoundLine => {
        const terminated = index < lines.length - 1 || text.endsWith("\n");
        const length = line.length + Number(terminated);
        offset += length;
        return { text: line, offset: offset - length, length, terminated };
      });
      for (const words of [["needle"], ["thorn", "needle"], ["thorn"], ["nothing"]]) {
        const wanted = all.filter(({ text }) => words.some((word) => text.includes(word)))
          .reverse();
        for (const block of [1, 5, 64, 1000, undefined]) {
          assert.deepEqual(await linesIn(path, words, block), wanted, `${words} ${block}`);
        }
        found += wanted.length;
      }
    }
    assert.ok(found > 8 * roundsOf(60, 6));
  });
});

inDirectory.test("linesHolding gives nothing of an empty file, and trims a line as readers do", async (directory) => {
  const path = join(directory, "log");
  Deno.writeTextFileSync(path, "");
  assert.deepEqual(await linesIn(path, ["x"]), []);
  Deno.writeTextFileSync(path, "\ufeffx\r\n\n");
  assert.deepEqual(await linesIn(path, ["x"]), [{
    text: "x",
    offset: 0,
    length: 6,
    terminated: true,
  }]);
});
