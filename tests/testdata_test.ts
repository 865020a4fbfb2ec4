/** The logs of testdata, as they were written once: each is read as its row of the README says. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { encodeEvent } from "../lib/core/event/encode.ts";
import type { Event, LogEvent } from "../lib/core/event/envelope.ts";
import type { ByteTally, Diagnostic } from "../lib/core/log/diagnostic.ts";
import { emptyTally } from "../lib/core/log/parse_state.ts";
import { readEvents } from "../lib/core/log/read_events.ts";
import { verifyLog } from "../lib/core/store/verify_log.ts";
import { filesBelow } from "./_support/files_below.ts";

const TESTDATA = new URL("../testdata/", import.meta.url);

interface ReadLog {
  events: LogEvent[];
  found: Diagnostic[];
  tally: ByteTally;
}

/** Reads a log through the pipeline. */
async function readLog(path: string): Promise<ReadLog> {
  const read: ReadLog = { events: [], found: [], tally: emptyTally() };
  const report = (diagnostic: Diagnostic): void => void read.found.push(diagnostic);
  for await (const batch of readEvents(path, { report, tally: read.tally })) {
    read.events.push(...batch);
  }
  return read;
}

/** The rows of the README: file, what it shows, events, findings in the lines and in the order. */
const ROWS = Deno.readTextFileSync(new URL("logs/README.md", TESTDATA)).split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | ?\|$/g, "").trim()));

function codesIn(cell = ""): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
}

Deno.test("each log has a row, and each row a log", () => {
  const folder = fileURLToPath(new URL("logs", TESTDATA));
  const logs = filesBelow(folder).filter((path) => !path.endsWith("README.md"));
  const rows = ROWS.map(([file]) => codesIn(file)[0]);
  assert.deepEqual(rows, logs.map((path) => path.slice(folder.length + 1)));
  assert.ok(rows.length > 40);
});

for (const [file, says, events, lines, order] of ROWS) {
  const [name = ""] = codesIn(file);
  Deno.test(`${name}: ${says}`, async () => {
    const path = fileURLToPath(new URL(`logs/${name}`, TESTDATA));
    const read = await readLog(path);
    assert.deepEqual(read.found.map(({ code }) => code), codesIn(lines));
    assert.equal(read.events.length, Number(events));
    const { tally } = read;
    const { size } = await Deno.stat(path);
    assert.equal(tally.bytes, size);
    assert.equal(tally.events + tally.damage + tally.blank, size);
    const verified: string[] = [];
    await verifyLog(path, ({ code }) => verified.push(code));
    assert.deepEqual(verified, [...codesIn(lines), ...codesIn(order)]);
  });
}

/** The lines of a log that its verified events are not encoded to now. */
async function encodedOtherwise(path: string): Promise<string[]> {
  const text = await Deno.readTextFile(path);
  const { events } = await readLog(path);
  return events.filter(({ form, integrity }) => form === "known" && integrity === "verified")
    .map((event) => new TextDecoder().decode(encodeEvent(event as Event)).trimEnd())
    .filter((line) => !text.includes(line));
}

Deno.test("events are encoded now as they were when the logs were written", async () => {
  const other: string[] = [];
  for (
    const path of ["logs", "demo/sessions"].flatMap((name) =>
      filesBelow(fileURLToPath(new URL(name, TESTDATA)))
    )
  ) {
    // A field of the envelope that we do not know is not written again.
    if (path.endsWith("unknown_fields.jsonl")) continue;
    if (path.endsWith(".jsonl")) other.push(...await encodedOtherwise(path));
  }
  assert.deepEqual(other, []);
});

/** The sessions of the demo store: how many events each has, and what is wrong with it. */
const DEMO: Readonly<Record<string, readonly [events: number, found: readonly string[]]>> = {
  "8d1f0c4e-52b7-4e0a-9c63-1b7e4a90f2d5": [50, []],
  "3f6a2b91-0d4c-4f7e-8a15-6c2d9e7b0a48": [22, ["torn-tail"]],
  "b7e5d3a0-9c18-4d62-b4f9-2a8e1c6f7035": [18, []],
  "e49c7f12-5a3b-4c08-a7d6-90b1f3e8d264": [15, []],
};

Deno.test("each session of the demo reads as it was written", async () => {
  const read: Record<string, unknown> = {};
  for (const path of filesBelow(fileURLToPath(new URL("demo/sessions", TESTDATA)))) {
    const { events, found } = await readLog(path);
    const id = path.split(/[\\/]/).at(-2)?.slice(-36) ?? "";
    read[id] = [events.length, found.map(({ code }) => code)];
    const [head] = events;
    assert.ok(head?.form === "known" && head.kind === "session_started");
    assert.equal(head.payload.session_id, id);
    assert.ok(events.every(({ integrity }) => integrity === "verified"));
  }
  assert.deepEqual(read, DEMO);
});
