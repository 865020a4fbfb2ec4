/** A source whose later lines replace earlier ones, on small rules: a line sets, removes or restarts. */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  recordsAmong,
  replayedSource,
  type ReplayRules,
  standingAmong,
  type StandingPlace,
} from "../../../../lib/agents/engine/sources/replayed_source.ts";
import { positionBehind } from "../../../../lib/agents/engine/sources/record_source.ts";
import type { SourceRecord } from "../../../../lib/agents/engine/records/source_record.ts";
import { asList, asObject, asText } from "../../../../lib/agents/engine/json.ts";
import { accountSum } from "../../../_support/account_sum.ts";
import { emptyAccount } from "../../../../lib/agents/contract/source_account.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";
import { testsIn } from "../../../_support/tests_in.ts";

const inFile = testsIn(withFile);

interface Replay {
  places: Map<string, StandingPlace>;
  head: SourceRecord | undefined;
}

const RULES: ReplayRules<Replay> = {
  begin: () => ({ places: new Map(), head: undefined }),
  take(replay, record): string | undefined {
    const { places } = replay;
    const { value, position } = record;
    if (value.note !== undefined) return "note";
    if (value.remove !== undefined) {
      places.delete(asText(value.remove) ?? "");
      return "remove";
    }
    if (value.head !== undefined) replay.head = record;
    else if (value.all === undefined) places.set(asText(value.id) ?? "", position);
    else {
      places.clear();
      for (const [part, { id }] of asList(value.all).map(asObject).entries()) {
        places.set(asText(id) ?? "", { ...position, part });
      }
    }
    return undefined;
  },
  head: ({ head }) => head,
  standing: ({ places }) => places.values(),
  parts: ({ all }) => asList(all).map(asObject),
};

const LINES = [
  { head: 1 },
  { id: "a", text: 1 },
  { id: "b", text: 1 },
  { all: [{ id: "a", text: 2 }, { id: "b", text: 2 }, { id: "c", text: 2 }] },
  { note: "x" },
  { id: "b", text: 3 },
  { id: "d", text: 3 },
  { id: "e", text: 3 },
  { remove: "e" },
  { id: "f", text: 4 },
];

const STANDING = ["a2", "b3", "c2", "d3", "f4"];

async function withFile(
  run: (path: string) => Promise<void>,
  lines: unknown[] = LINES,
): Promise<void> {
  await withDirectory(async (folder) => {
    const path = join(folder, "replayed.jsonl");
    Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n") + "\n");
    await run(path);
  });
}

function named(records: readonly SourceRecord[]): string[] {
  return records.map(({ value: { id, text } }) => `${id}${text}`);
}

async function all(batches: AsyncIterable<readonly SourceRecord[]>): Promise<SourceRecord[]> {
  return (await Array.fromAsync(batches)).flat();
}

inFile.test("the records that stand come in their order, behind the head", async (path) => {
  const [head, ...records] = await all(replayedSource(path, RULES).read());
  assert.deepEqual(head?.value, { head: 1 });
  assert.deepEqual(named(records), STANDING);
  assert.deepEqual(records.map(({ part }) => part), [0, undefined, 2, undefined, undefined]);
});

inFile.test("each line is counted once: as events, as a side record, or as replaced", async (path) => {
  const account = emptyAccount();
  const records = await all(replayedSource(path, RULES).read({ account }));
  // The reader counts records that are lines.
  const whole = records.filter(({ part }) => part === undefined);
  const read = whole.reduce((sum, { position }) => sum + position.length, 0);
  assert.equal(accountSum(account) + read, Deno.statSync(path).size);
  const lengthOf = (at: number): number => JSON.stringify(LINES[at]).length + 1;
  assert.equal(account.events, lengthOf(3));
  assert.equal(account.dead, lengthOf(1) + lengthOf(2) + lengthOf(7));
  assert.deepEqual(account.side, { note: lengthOf(4), remove: lengthOf(8) });
});

inFile.test("an opened source goes on behind each line, also when the file has grown", async (path) => {
  const source = replayedSource(path, RULES);
  const records = await all(source.read());
  Deno.writeTextFileSync(path, JSON.stringify({ remove: "f" }) + "\n", { append: true });
  let places = 0;
  for (const [at, record] of records.entries()) {
    const position = positionBehind(record);
    assert.equal(position === undefined, record.part !== undefined);
    if (position === undefined) continue;
    places++;
    assert.deepEqual(named(await all(source.read({}, position))), STANDING.slice(at));
  }
  assert.equal(places, 4);
  assert.deepEqual(named((await all(replayedSource(path, RULES).read())).slice(1)), [
    ...STANDING.slice(0, -1),
  ]);
});

inFile.test("the end of a replayed file is that of its records that stand", async (path) => {
  const source = replayedSource(path, RULES);
  assert.deepEqual(named((await source.last(1)).records), ["f4"]);
  const two = await source.last(2 * JSON.stringify(LINES[9]).length + 2);
  assert.deepEqual([named(two?.records ?? []), two?.whole], [["d3", "f4"], false]);
  const most = await source.last(10_000);
  assert.deepEqual([named(most?.records ?? []), most?.whole], [STANDING, true]);
});

Deno.test("records at hand are replayed too, and looked up by their places", () => {
  const rules = { ...RULES, head: () => undefined };
  const lines = LINES.map((value, at): SourceRecord => ({
    value,
    position: { offset: at * 100, length: 100, line: at + 1 },
  }));
  assert.deepEqual(named(standingAmong(rules, lines)), STANDING);
  const { standing } = replayedSource("nowhere", rules);
  assert.deepEqual(named(standing?.(lines.slice(6)) ?? []), ["d3", "f4"]);
  const places = [{ ...lines[3]?.position, part: 1 }, lines[1]?.position] as StandingPlace[];
  assert.deepEqual(named(recordsAmong(rules, lines, places)), ["b2", "a1"]);
});
