/** Lines that are longer than what is held of a line. */
import assert from "node:assert/strict";
import { examineSession } from "../../../lib/features/repair/examine_session.ts";
import { repairCopy } from "../../../lib/features/repair/repair_session.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { linesOf, longOutput } from "../../clients/repair/damages.ts";
import { REPAIRED } from "../../clients/repair/session_items.ts";
import { sessionHome, wholeSession } from "./_sessions.ts";

/** So little is held of a line that a long one need not be long. */
const LIMIT = { max_line_bytes: 4000 };
const TRIM = { trim_output_bytes: 1024 };

for (const agent of REPAIRED) {
  inDirectory.test(`${agent}: a long line is told, kept, and cut only where that is asked for`, async (directory) => {
    const { bytes } = longOutput(agent, wholeSession(agent), 20_000);
    const { library, path } = await sessionHome(directory, agent, bytes);
    const session = await library.open(path);
    const told = await examineSession(session, LIMIT);
    assert.deepEqual(told.findings.map(({ damage, needs }) => [damage, needs]), [
      ["long-line", "trim_output"],
    ]);
    assert.deepEqual([told.repairable, told.messages], [false, { before: 10, after: 10 }]);
    await repairCopy(session, `${directory}/same.jsonl`, LIMIT);
    assert.deepEqual(await Deno.readFile(`${directory}/same.jsonl`), bytes);
    const cut: Uint8Array[] = [];
    for (const [name, limit] of [["held", {}], ["passed", LIMIT]] as const) {
      const out = `${directory}/${name}.jsonl`;
      const { findings, messages } = await repairCopy(session, out, { ...limit, ...TRIM });
      assert.deepEqual(findings.map(({ damage }) => damage), ["long-output"]);
      assert.deepEqual(messages, { before: 10, after: 10 });
      cut.push(await Deno.readFile(out));
    }
    assert.deepEqual(cut[0], cut[1]);
    assertCut(linesOf(bytes), linesOf(cut[0] as Uint8Array));
    await Deno.writeFile(path, cut[0] as Uint8Array);
    assert.deepEqual((await examineSession(session, TRIM)).findings, []);
  });
}

/** One line is shorter, and says so; the others are the same. */
function assertCut(before: readonly string[], after: readonly string[]): void {
  assert.equal(before.length, after.length);
  const changed = after.filter((line, index) => line !== before[index]);
  assert.equal(changed.length, 1);
  assert.match(changed[0] ?? "", /word word .*\\n\[\d+ bytes were cut off by reprise repair\]/);
  assert.ok((changed[0] ?? "").length < 4000);
}

inDirectory.test("a record whose parent is torn is relinked in a long line too", async (directory) => {
  const lines = linesOf(longOutput("pi", wholeSession("pi"), 20_000).bytes);
  const torn = (lines[2] ?? "").slice(0, 150);
  const rest = lines.slice(3).map((line) => `${line}\n`).join("");
  const bytes = new TextEncoder().encode(`${lines[0]}\n${lines[1]}\n${torn}\n${rest}`);
  const { library, path } = await sessionHome(directory, "pi", bytes);
  const session = await library.open(path);
  const out = `${directory}/out.jsonl`;
  const report = await repairCopy(session, out, LIMIT);
  const damages = report.findings.map(({ damage }) => damage).toSorted();
  const strays = ["stray-result", "stray-result"];
  assert.deepEqual(damages, ["long-line", "lost-parent", ...strays, "torn-record"]);
  const parents = linesOf(await Deno.readFile(out)).map((line) => JSON.parse(line).parentId);
  assert.deepEqual(parents.slice(0, 3), [undefined, null, "aaaaaaa1"]);
});
