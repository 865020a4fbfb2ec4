import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "npm:fast-check@4.10.2";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import type { Diagnostic } from "../../../lib/core/log/diagnostic.ts";
import { type Repair, repairLog } from "../../../lib/core/log/repair_log.ts";
import {
  type Bytes,
  codesOf,
  concat,
  factsOf,
  linesOf,
  plainLine,
  readNow,
  seqsOf,
  textBytes,
  user,
} from "../../_support/log_bytes.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { randomLog } from "../../_support/random_log.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { foreignLine } from "../../_support/event_line.ts";

const [one, two, three] = linesOf(["one", "two", "three"].map(user)) as [Bytes, Bytes, Bytes];
const TORN = two.subarray(0, 50);

interface Repaired {
  repair: Repair;
  bytes: Bytes;
  found: Diagnostic[];
}

/** Repairs bytes in a folder of their own; the damaged file must be as it was. */
async function repaired(...parts: (Uint8Array | string)[]): Promise<Repaired> {
  const before = concat(...parts);
  const found: Diagnostic[] = [];
  let result: Repaired | undefined;
  await withDirectory(async (directory) => {
    const [path, out] = [join(directory, "log"), join(directory, "out")];
    Deno.writeFileSync(path, before);
    const { mtime } = Deno.statSync(path);
    const repair = await repairLog(path, out, (diagnostic) => found.push(diagnostic));
    assert.deepEqual(Deno.readFileSync(path), before, "P9 the log itself is not touched");
    assert.deepEqual(Deno.statSync(path).mtime, mtime);
    result = { repair, bytes: Deno.readFileSync(out), found };
  });
  assert.ok(result);
  return result;
}

function refusal(code: string, message: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof SessionError && error.code === code && message.test(error.message);
}

Deno.test("P9 a whole log is copied byte by byte", async () => {
  const { repair, bytes, found } = await repaired(one, two, three);
  assert.deepEqual(bytes, concat(one, two, three));
  assert.deepEqual(repair, { events: 3, salvaged: 0, dropped_bytes: 0 });
  assert.deepEqual(found, []);
});

Deno.test("P9 damage and blank lines are left out, and counted", async () => {
  const { repair, bytes, found } = await repaired(one, "noise\n", " \n", three, TORN);
  assert.deepEqual(bytes, concat(one, three));
  assert.deepEqual(repair, { events: 2, salvaged: 0, dropped_bytes: 8 + TORN.length });
  assert.deepEqual(found.map(({ code }) => code), ["malformed-line", "seq-gap", "torn-tail"]);
});

Deno.test("P9 a salvaged event is put on its own line, with the bytes that it had", async () => {
  const { repair, bytes } = await repaired(one, TORN, two, "\0\0\0", three);
  assert.deepEqual(bytes, concat(one, two, three));
  assert.deepEqual(repair, { events: 3, salvaged: 2, dropped_bytes: TORN.length + 3 });
  const glued = await repaired(one, two.subarray(0, -1), three);
  assert.deepEqual(glued.bytes, concat(one, two, three));
});

Deno.test("P2 what this version does not know of a salvaged event is kept", async () => {
  const odd = foreignLine({
    v: 1,
    seq: 2,
    kind: "user_message",
    time: "soon",
    x: [1e400, "é"],
    payload: { content: "hi", y: 1 },
  });
  const later = foreignLine({ v: 3, seq: 3, kind: "later_kind", payload: null });
  const { bytes, repair } = await repaired(one, TORN, odd, TORN, later);
  assert.deepEqual(bytes, concat(one, odd, later));
  assert.deepEqual([repair.events, repair.salvaged], [3, 2]);
});

Deno.test("P2 a salvaged event without a checksum does not get one: it would pass for verified", async () => {
  const plain = plainLine(2);
  const { bytes } = await repaired(one, "\0", plain);
  assert.deepEqual(bytes, concat(one, plain));
  assert.deepEqual(readNow(bytes).events.map(({ integrity }) => integrity), [
    "verified",
    "mismatch",
  ]);
});

Deno.test("P2 a changed line is copied as it is, so it stays marked", async () => {
  const changed = textBytes(new TextDecoder().decode(two).replace("two", "2wo"));
  const { bytes } = await repaired(one, changed, three);
  assert.deepEqual(bytes, concat(one, changed, three));
  assert.deepEqual(codesOf(readNow(bytes)), ["checksum-mismatch"]);
});

Deno.test("a repaired log has no BOM, no CR and every newline", async () => {
  const crlf = textBytes("\ufeff" + new TextDecoder().decode(one).replace("\n", "\r\n"));
  const { bytes } = await repaired(
    crlf,
    "\ufeff",
    TORN,
    two.subarray(0, -1),
    "\r\n",
    three.subarray(0, -1),
  );
  assert.deepEqual(bytes, concat(one, two, three));
});

inDirectory.test("P9 repair writes a new file, and never over another", async (directory) => {
  const [path, out] = [join(directory, "log"), join(directory, "out")];
  Deno.writeFileSync(path, one);
  Deno.writeTextFileSync(out, "precious");
  for (const target of [out, path]) {
    await assert.rejects(
      repairLog(path, target),
      refusal(
        "io",
        /^Cannot create file: the file already exists, and Reprise does not overwrite it/,
      ),
    );
  }
  assert.equal(Deno.readTextFileSync(out), "precious");
  assert.deepEqual(Deno.readFileSync(path), one);
  await assert.rejects(
    repairLog(path, join(directory, "gone", "out")),
    refusal("not-found", /./),
  );
  if (Deno.build.os === "windows") return;
  Deno.symlinkSync(join(directory, "elsewhere"), join(directory, "link"));
  await assert.rejects(repairLog(path, join(directory, "link")), refusal("io", /exists/));
  await repairLog(path, join(directory, "new"));
  assert.equal((Deno.statSync(join(directory, "new")).mode ?? 0) & 0o777, 0o600);
});

inDirectory.test("a repair that fails leaves no file", async (directory) => {
  const out = join(directory, "out");
  await assert.rejects(repairLog(join(directory, "log"), out), refusal("not-found", /./));
  await assert.rejects(repairLog(directory, out), refusal("unsupported-source", /not a file/));
  assert.deepEqual([...Deno.readDirSync(directory)], []);
});

Deno.test("P9 of any log, repair keeps every event, and repairing twice is repairing once", async () => {
  const rounds = roundsOf(80);
  const seen = { events: 0, salvaged: 0, dropped: 0 };
  await fc.assert(
    fc.asyncProperty(randomLog, async (log) => {
      const before = readNow(log);
      const { bytes, repair } = await repaired(log);
      const after = readNow(bytes);
      assert.deepEqual(after.events.map(factsOf), before.events.map(factsOf));
      assert.deepEqual(seqsOf(after), seqsOf(before));
      assert.equal(after.tally.damage + after.tally.blank, 0);
      assert.equal(repair.dropped_bytes, before.tally.damage + before.tally.blank);
      const twice = await repaired(bytes);
      assert.deepEqual(twice.bytes, bytes);
      assert.deepEqual(twice.repair, { events: repair.events, salvaged: 0, dropped_bytes: 0 });
      seen.events += repair.events;
      seen.salvaged += repair.salvaged;
      seen.dropped += Number(repair.dropped_bytes > 0);
    }),
    { seed: 20261121, numRuns: rounds },
  );
  const enough = seen.events > 6.25 * rounds && seen.salvaged > rounds / 4;
  assert.ok(enough && seen.dropped > 0.375 * rounds, JSON.stringify(seen));
});
