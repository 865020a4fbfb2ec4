/** `kill -9` at any moment: what was acknowledged is there, and the session goes on. */
import { roundsOf } from "../_support/few_rounds.ts";
import assert from "node:assert/strict";
import { dirname } from "node:path";
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import { isLocked } from "../../lib/core/log/session_lock.ts";
import { openStore } from "../../lib/core/store/open_store.ts";
import type { Appending } from "../_support/children/append_child.ts";
import { CliHome } from "../_support/cli_home.ts";
import { codesOf, type Read, readNow } from "../_support/log_bytes.ts";
import { Child } from "../_support/processes.ts";
import { ALL_TORTURE } from "../_support/torture.ts";
import { withDirectory } from "../_support/temp_directory.ts";
import { type Random, seededRandom } from "./_random.ts";
import { needing, UNIX } from "../_support/needing.ts";

const SEED = 20261121;
/** Processes at a time: the cores are shared. */
const AT_ONCE = 3;
/** A long write has four to seven times as many bytes. */
const LONG = ALL_TORTURE ? 1_000_000 : 400_000;

/** An event that was acknowledged: its number, and how its text begins. */
interface Acknowledged {
  seq: number;
  begins: string;
}

interface Outcome {
  acknowledged: number;
  torn: boolean;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function textOf(event: LogEvent | undefined): string {
  if (event?.form !== "known" || event.kind !== "user_message") return "";
  return typeof event.payload.content === "string" ? event.payload.content : "";
}

/** Every acknowledged event is in the log, as it was; nothing but the tail is damaged. */
function assertAllKept(read: Read, acknowledged: readonly Acknowledged[]): void {
  const bySeq = new Map(read.events.map((event) => [event.seq, event]));
  for (const { seq, begins } of acknowledged) {
    const event = bySeq.get(seq);
    assert.equal(event?.integrity, "verified", `event ${seq} was acknowledged`);
    assert.ok(textOf(event).startsWith(begins), `event ${seq} is another`);
  }
  assert.deepEqual(read.events.map(({ seq }) => seq), read.events.map((_, index) => index + 1));
  const unexpected = codesOf(read).filter((code) =>
    code !== "torn-tail" && code !== "malformed-line"
  );
  assert.deepEqual(unexpected, []);
}

/** The lock is free, and the next append is sealed off from what was torn, and comes last. */
async function assertGoesOn(root: string, acknowledged: readonly Acknowledged[]): Promise<Outcome> {
  const store = openStore({ root });
  const [row] = await store.list();
  if (row === undefined) {
    assert.equal(acknowledged.length, 0);
    return { acknowledged: 0, torn: false };
  }
  assert.equal(isLocked(dirname(row.path)), false, "the lock is free");
  assert.equal(row.status, "interrupted");
  const before = readNow(Deno.readFileSync(row.path));
  assertAllKept(before, acknowledged);
  const session = await store.resume(row.ref);
  const told = await session.append({ kind: "user_message", payload: { content: "and on" } });
  await session.release();
  const after = readNow(Deno.readFileSync(row.path));
  assertAllKept(after, acknowledged);
  const [next, ...more] = after.events.slice(before.events.length);
  assert.deepEqual([textOf(next), next?.integrity], ["and on", "verified"]);
  assert.deepEqual(told, { seq: before.events.length + 1, state: "synced" });
  // Where the killed program left too much without one.
  assert.deepEqual(
    more.map(({ kind }) => kind).filter((kind) => kind !== "session_checkpoint"),
    [],
  );
  const torn = codesOf(before).includes("torn-tail");
  assert.equal(after.tally.damage, before.tally.damage + Number(torn));
  return { acknowledged: acknowledged.length, torn };
}

/**
 * A library program, killed some time after it started or first told of an event.
 *
 * @param within Milliseconds after the first event was acknowledged.
 */
async function killLibrary(random: Random, bytes: number, within = 60): Promise<Outcome> {
  let outcome: Outcome = { acknowledged: 0, torn: false };
  await withDirectory(async (root) => {
    const script: Appending = {
      root,
      durability: random(2) === 0 ? "boundary" : "none",
      bytes,
      together: 1 + random(6),
      most_bytes: 48_000_000,
    };
    await using child = new Child("append_child", [JSON.stringify(script)]);
    const lines: string[] = [];
    // One in six is killed while it starts, or before it was told to do anything.
    const early = random(6) === 0;
    if (!early) lines.push(await child.line() ?? "");
    await wait(random(early ? 250 : within));
    child.kill();
    lines.push(...await child.rest());
    await child.status();
    const acknowledged = lines.map((line): Acknowledged => {
      const [seq, , name] = line.split(" ");
      return { seq: Number(seq), begins: `${name} ` };
    });
    outcome = await assertGoesOn(root, acknowledged);
  });
  return outcome;
}

/** `reprise record`, killed some time after its first answer, with input still in its pipe. */
async function killRecord(random: Random): Promise<Outcome> {
  await using home = new CliHome();
  const durability = random(2) === 0 ? "boundary" : "none";
  const record = home.start(["record", "--durability", durability]);
  const feeding = feed(random, (text) => record.write(text));
  const answers = [await record.until('"seq":')];
  await wait(random(60));
  record.kill("SIGKILL");
  await feeding;
  for (let line = await record.line(); line !== undefined; line = await record.line()) {
    answers.push(line);
  }
  await record.end();
  const acknowledged = answers.map((line): Acknowledged => {
    const { seq, input_line } = JSON.parse(line);
    return { seq, begins: `line ${input_line} ` };
  });
  return await assertGoesOn(home.store, acknowledged);
}

/** Writes events until nobody reads them any more. */
async function feed(random: Random, write: (text: string) => Promise<void>): Promise<void> {
  try {
    for (let line = 1;; line++) {
      const content = `line ${line} ${"x".repeat(random(3000))}`;
      await write(JSON.stringify({ kind: "user_message", payload: { content } }) + "\n");
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** Rounds, some at a time. */
async function rounds(
  count: number,
  round: (random: Random) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    while (next < count) outcomes.push(await round(seededRandom(SEED + next++)));
  }));
  return outcomes;
}

/** Says in the test's output how much was at stake. */
async function tell(t: Deno.TestContext, outcomes: readonly Outcome[]): Promise<void> {
  const acknowledged = outcomes.reduce((sum, one) => sum + one.acknowledged, 0);
  const torn = outcomes.filter((one) => one.torn).length;
  const none = outcomes.filter((one) => one.acknowledged === 0).length;
  const name =
    `${acknowledged} events acknowledged in ${outcomes.length} kills; ${torn} torn tails`;
  await t.step(
    name,
    () => assert.ok(none * 2 < outcomes.length, `${none} rounds without an event`),
  );
}

// Slow: each round starts and kills a program.
Deno.test(needing("P1 no acknowledged event is lost when a program is killed", UNIX), async (t) => {
  const outcomes = await rounds(roundsOf(22), (random) => killLibrary(random, random(4000)));
  await tell(t, outcomes);
});

// Slow: each round writes megabytes and reads them again.
Deno.test(
  needing("P1 no acknowledged event is lost when a program is killed in long writes", UNIX),
  async (t) => {
    const outcomes = await rounds(
      roundsOf(6),
      (random) => killLibrary(random, LONG * (4 + random(4)), 25),
    );
    await tell(t, outcomes);
  },
);

// Slow: each round starts and kills a program.
Deno.test(needing("P1 no acknowledged event is lost when record is killed", UNIX), async (t) => {
  await tell(t, await rounds(roundsOf(22), killRecord));
});
