import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { LogEvent } from "../lib/event/envelope.ts";
import type { ByteTally, Diagnostic } from "../lib/log/diagnostic.ts";
import { emptyTally } from "../lib/log/parse_state.ts";
import { readEvents } from "../lib/log/read_events.ts";
import { verifyLog } from "../lib/session/verify_log.ts";
import { demoSessions, logCases, TESTDATA, testdataFiles } from "./_support/make_testdata.ts";
import { demoPath } from "./_support/testdata/demo_clock.ts";

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

Deno.test("testdata/logs and testdata/demo hold nothing else", () => {
  const made = new Set(testdataFiles().keys());
  const onDisk = [...filesBelow("logs/"), ...filesBelow("demo/")];
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

for (const session of demoSessions()) {
  Deno.test(`the demo session ${session.id} reads as it was written`, async () => {
    const { events, found } = await readLog(`demo/${demoPath(session)}`);
    const torn = session.torn !== undefined;
    assert.deepEqual(found.map(({ code }) => code), torn ? ["torn-tail"] : []);
    assert.equal(events.length, session.steps.length - Number(torn));
    const [head] = events;
    assert.ok(head?.form === "known" && head.kind === "session_started");
    assert.equal(head.payload.session_id, session.id);
    assert.ok(events.every(({ integrity }) => integrity === "verified"));
  });
}
