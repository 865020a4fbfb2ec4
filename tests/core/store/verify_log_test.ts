import assert from "node:assert/strict";
import { join } from "node:path";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import type { Diagnostic } from "../../../lib/core/log/diagnostic.ts";
import { verifyLog } from "../../../lib/core/store/verify_log.ts";
import { everyKind } from "../../_support/every_kind.ts";
import { draft } from "../../_support/known_events.ts";
import { concat, linesOf, logOf, toolEnd, toolStart, user } from "../../_support/log_bytes.ts";
import { inStore, withDirectory } from "../../_support/temp_directory.ts";

const HEADER = draft("session_started", { session_id: "s", created_at: "", cwd: "/" });

/** What is found, as code and line; the bytes must add up. */
async function verified(...parts: (Uint8Array | string)[]): Promise<[string, number][]> {
  const found: Diagnostic[] = [];
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    const bytes = concat(...parts);
    Deno.writeFileSync(path, bytes);
    const tally = await verifyLog(path, (diagnostic) => found.push(diagnostic));
    assert.equal(tally.bytes, bytes.length);
    assert.equal(tally.events + tally.damage + tally.blank, bytes.length);
  });
  return found.map(({ code, line }) => [code, line]);
}

function verifiedEvents(...events: NewEvent[]): Promise<[string, number][]> {
  return verified(logOf([HEADER, ...events]));
}

inStore.test("a log that this library wrote verifies without a finding", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  for (const event of [user("p"), toolStart("c1"), toolEnd("c1"), user("x".repeat(300_000))]) {
    await session.append(event);
  }
  await session.finish();
  const again = await store.resume(session.id);
  await again.append(user("q"));
  await again.finish();
  const found: string[] = [];
  const tally = await verifyLog(session.path, ({ code }) => found.push(code));
  assert.deepEqual(found, []);
  assert.deepEqual(tally, { bytes: tally.events, events: tally.events, damage: 0, blank: 0 });
  assert.ok(tally.events > 300_000);
});

Deno.test("calls that do not pair are found where they stand, open ones at the end", async () => {
  assert.deepEqual(
    await verifiedEvents(toolStart("c1"), toolStart("c2"), toolEnd("c9"), toolEnd("c2")),
    [
      ["orphan-settlement", 4],
      ["unsettled-call", 2],
    ],
  );
  assert.deepEqual(
    await verifiedEvents(
      toolStart("c1"),
      toolStart("c1"),
      toolEnd("c1"),
      toolEnd("c1"),
      toolEnd("c1"),
    ),
    [
      ["orphan-settlement", 6],
    ],
  );
});

Deno.test("compactions that say nothing usable are found", async () => {
  const status = "";
  const compactions = [
    { status, messages: [] },
    { status, summary: "s" },
    { status, summary: "s", first_kept_seq: 1 },
    { status },
    { status, first_kept_seq: 1 },
    { status, summary: "s", first_kept_seq: 0 },
    { status, summary: "s", first_kept_seq: 1.5 },
    { status, summary: "s", first_kept_seq: 9 },
    { status, summary: "s", first_kept_seq: 99 },
  ].map((payload) => draft("compaction_applied", payload));
  const codes = await verifiedEvents(...compactions);
  assert.deepEqual(codes.map(([code]) => code), Array(6).fill("invalid-compaction"));
  assert.deepEqual(codes.map(([, line]) => line), [5, 6, 7, 8, 9, 10]);
});

Deno.test("a checkpoint that does not fit, and a header that is missing, are found", async () => {
  const stale = draft("session_checkpoint", {
    ...{ through_seq: 1, archived: false, message_count: 3, turn_count: 0, usage: {} },
    ...{ models: [], first_user_message: "" },
  });
  assert.deepEqual(await verifiedEvents(stale), [["stale-checkpoint", 2]]);
  assert.deepEqual(await verified(logOf([user("p")])), [["missing-header", 0]]);
  assert.deepEqual(await verified(), []);
});

Deno.test("damage is found with its line, and what only the end tells comes last", async () => {
  const [head, start, end] = linesOf([HEADER, toolStart("c1"), toolEnd("c1")]);
  assert.ok(head && start && end);
  assert.deepEqual(await verified(head, "noise\n", start, "\n", end.subarray(0, 20)), [
    ["malformed-line", 2],
    ["torn-tail", 5],
    ["unsettled-call", 3],
  ]);
});

Deno.test("every kind verifies", async () => {
  const codes = (await verified(logOf(everyKind()))).map(([code]) => code);
  assert.deepEqual(codes, ["stale-checkpoint"]);
});
