import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { encodeEvent } from "../lib/event/encode.ts";
import type { Event, LogEvent } from "../lib/event/envelope.ts";
import type { ByteTally, Diagnostic } from "../lib/log/diagnostic.ts";
import { emptyTally } from "../lib/log/parse_state.ts";
import { readEvents } from "../lib/log/read_events.ts";
import { verifyLog } from "../lib/session/verify_log.ts";
import { logCases, TESTDATA, testdataFiles } from "./_support/make_testdata.ts";

interface ReadLog {
  events: LogEvent[];
  found: Diagnostic[];
  tally: ByteTally;
}

/** Reads a file below testdata through the pipeline. */
async function readLog(path: string): Promise<ReadLog> {
  const read: ReadLog = { events: [], found: [], tally: emptyTally() };
  const report = (diagnostic: Diagnostic): void => void read.found.push(diagnostic);
  const file = fileURLToPath(new URL(path, TESTDATA));
  for await (const batch of readEvents(file, { report, tally: read.tally })) {
    read.events.push(...batch);
  }
  return read;
}

Deno.test("the test data on disk is what its generator makes", () => {
  const files = testdataFiles();
  assert.ok(files.size > 40);
  for (const [path, bytes] of files) {
    const onDisk = Deno.readFileSync(new URL(path, TESTDATA));
    assert.deepEqual(onDisk, bytes, `${path} differs: deno run -A tests/_support/make_testdata.ts`);
  }
});

Deno.test("testdata/logs holds nothing else", () => {
  const made = new Set(testdataFiles().keys());
  const onDisk = [...filesBelow("logs/")];
  assert.equal(onDisk.length, made.size);
  for (const path of onDisk) assert.ok(made.has(path), `${path} is not made by make_testdata.ts`);
});

function* filesBelow(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, TESTDATA))) {
    if (isDirectory) yield* filesBelow(`${folder}${name}/`);
    else yield folder + name;
  }
}

for (const { name, says, events, found, folded, bytes } of logCases()) {
  Deno.test(`${name}.jsonl: ${says}`, async () => {
    const read = await readLog(`logs/${name}.jsonl`);
    assert.deepEqual(read.found.map(({ code }) => code), found);
    assert.equal(read.events.length, events);
    const { tally } = read;
    assert.equal(tally.bytes, bytes.length);
    assert.equal(tally.events + tally.damage + tally.blank, bytes.length);
    const verified: string[] = [];
    const path = fileURLToPath(new URL(`logs/${name}.jsonl`, TESTDATA));
    await verifyLog(path, ({ code }) => verified.push(code));
    assert.deepEqual(verified, [...found, ...folded]);
  });
}

/** The sessions of the demo store: how many events each has, and what is wrong with it. */
const DEMO: Readonly<Record<string, readonly [events: number, found: readonly string[]]>> = {
  "8d1f0c4e-52b7-4e0a-9c63-1b7e4a90f2d5": [50, []],
  "3f6a2b91-0d4c-4f7e-8a15-6c2d9e7b0a48": [22, ["torn-tail"]],
  "b7e5d3a0-9c18-4d62-b4f9-2a8e1c6f7035": [18, []],
  "e49c7f12-5a3b-4c08-a7d6-90b1f3e8d264": [15, []],
};

Deno.test("each session of the demo reads as it was written", async () => {
  const read: Record<string, unknown> = {};
  for (const path of filesBelow("demo/sessions/")) {
    const { events, found } = await readLog(path);
    const id = path.split("/").at(-2)?.slice(-36) ?? "";
    read[id] = [events.length, found.map(({ code }) => code)];
    const [head] = events;
    assert.ok(head?.form === "known" && head.kind === "session_started");
    assert.equal(head.payload.session_id, id);
    assert.ok(events.every(({ integrity }) => integrity === "verified"));
  }
  assert.deepEqual(read, DEMO);
});

Deno.test("the demo's events are encoded now as they were", async () => {
  for (const path of filesBelow("demo/sessions/")) {
    const { events } = await readLog(path);
    const text = Deno.readTextFileSync(new URL(path, TESTDATA));
    const again = events.map((event) => new TextDecoder().decode(encodeEvent(event as Event)));
    assert.ok(text.startsWith(again.join("")), path);
  }
});
