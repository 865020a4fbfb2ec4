/** Runs of a user's program that go wrong: each ends, with one line that says what to do. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { isSessionError } from "../../../lib/core/event/session_error.ts";
import type { Diagnostic } from "../../../lib/core/log/diagnostic.ts";
import { locateBy } from "../../../lib/agents/own_reader/locate.ts";
import { printedRecords } from "../../../lib/agents/own_reader/printed_records.ts";
import { NO_FACTS } from "../../../lib/agents/contract/located_facts.ts";
import { sharedOutput } from "../../../lib/agents/own_reader/shared_output.ts";
import { readerOutput, type ReaderRun } from "../../../lib/agents/own_reader/run_reader.ts";
import { joinAgent } from "../../../lib/core/event/agent_name.ts";
import { needing, UNIX } from "../../_support/needing.ts";

const AGENT = joinAgent("mine");

function shell(script: string, asked: readonly string[] = ["sessions"]): ReaderRun {
  return { agent: AGENT, argv: ["/bin/sh", "-c", script, "reader"], asked };
}

async function errorOf(output: AsyncIterable<unknown>): Promise<string> {
  try {
    for await (const _ of output) { /* to its end */ }
  } catch (error) {
    assert.ok(isSessionError(error), String(error));
    assert.ok(!error.message.includes("\n"));
    return error.message;
  }
  return "";
}

function test(name: string, run: () => Promise<void>): void {
  Deno.test({ ...needing(name, UNIX), fn: run });
}

test("a reader that is missing, or has no absolute path, is told with its setting", async () => {
  for (const program of ["/nowhere/reader", "reader"]) {
    const told = await errorOf(readerOutput({ agent: AGENT, argv: [program], asked: [] }));
    assert.match(told, /^Cannot read sessions of mine: .*reprise config set agents\.mine\.reader /);
  }
});

test("a reader that fails is told with its last line, and the command that shows it again", async () => {
  const told = await errorOf(readerOutput(shell("echo first >&2; echo no index >&2; exit 3")));
  assert.equal(
    told,
    "Cannot read sessions of mine: sh ended with status 3: no index; to see what the reader program prints: " +
      "/bin/sh -c 'echo first >&2; echo no index >&2; exit 3' reader sessions",
  );
});

test("a reader that hangs is ended with its children", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const pids = join(folder, "pids");
    // The child holds the pipe open.
    const run = shell(`sleep 600 & echo $! $$ > ${pids}; echo '{}'; wait`);
    const told = await errorOf(readerOutput(run, { limits: { wait_ms: 300, bytes: 1000 } }));
    assert.match(
      told,
      /sh took longer than 0\.3 seconds; let the program .*; to see what the reader program prints: /,
    );
    await assertEnded(Deno.readTextFileSync(pids));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

/** Waits until none of some processes runs. */
async function assertEnded(pids: string): Promise<void> {
  for (const pid of pids.trim().split(" ")) {
    const state = (): string => {
      try {
        return Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/^.*\) (\w).*$/s, "$1");
      } catch {
        return "gone";
      }
    };
    while (!["gone", "Z"].includes(state())) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("a reader that prints without end is ended, and little of it is held", async () => {
  const limits = { wait_ms: 60_000, bytes: 1_000_000 };
  const told = await errorOf(readerOutput(shell("yes '{\"id\":1}'"), { limits }));
  assert.match(told, /sh printed more than 1000000 bytes/);
});

test("a reader is ended with the signal of whoever waits for it", async () => {
  const controller = new AbortController();
  const output = readerOutput(shell("echo one; sleep 600"), { signal: controller.signal });
  assert.equal(new TextDecoder().decode((await output.next()).value as Uint8Array), "one\n");
  controller.abort(new Error("enough"));
  await assert.rejects(output.next(), { message: "enough" });
});

test("a line that is too long, or no JSON, costs itself alone", async () => {
  const found: Diagnostic[] = [];
  const run = shell("echo '{\"a\":1}'; echo no JSON; printf '%200s\\n' x; echo '{\"b\":2}'");
  const report = (one: Diagnostic): void => void found.push(one);
  const records = await Array.fromAsync(printedRecords(run, { report, max_line_bytes: 100 }));
  assert.deepEqual(records.flat().map(({ value }) => value), [{ a: 1 }, { b: 2 }]);
  assert.deepEqual(found.map(({ code, line }) => [code, line]), [
    ["malformed-line", 2],
    ["oversized-line", 3],
  ]);
});

test("wrong lines of a list hide no session, and are counted in one line", async () => {
  const lines = [
    { id: "good", files: ["/a"] },
    { id: "../x", files: ["/a"] },
    { id: "more", files: ["a"] },
    { id: "none" },
    { files: [] },
    { id: "good", files: ["/b"] },
  ];
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  const readers = { mine: shell(`printf '%s\\n' '${text}'`).argv };
  const environment = { home: "/", os: "linux", folder: "/", variable: () => undefined, readers };
  const found: string[] = [];
  const located = locateBy(AGENT)(environment);
  const told = await errorOf((async function* (): AsyncGenerator<number> {
    for await (const { id } of located) yield found.push(id);
  })());
  assert.deepEqual(found, ["good"]);
  assert.match(told, /5 lines that Reprise cannot use \(line 2: "id" must be 1 to 200 of /);
});

test("a list that comes late leaves the sessions of the last list, and tells what to do", async () => {
  const folder = Deno.makeTempDirSync();
  const stored = new Map<string, unknown>();
  const facts = { ...NO_FACTS, keep: stored.set.bind(stored), kept: stored.get.bind(stored) };
  const listed = async (script: string, wait_ms = 60_000): Promise<[string[], string]> => {
    const locate = locateBy(
      AGENT,
      (run) => readerOutput(run, { limits: { wait_ms, bytes: 1000 } }),
    );
    Deno.writeTextFileSync(join(folder, "reader.sh"), script);
    const readers = { mine: ["/bin/sh", join(folder, "reader.sh")] };
    const place = { home: "/", os: "linux", folder: "/", variable: () => undefined, readers };
    const found: string[] = [];
    const told = await errorOf((async function* (): AsyncGenerator<number> {
      for await (const { id } of locate(place, { facts })) yield found.push(id);
    })());
    return [found, told];
  };
  try {
    const [one, two] = ["a", "b"].map((id) => `echo '{"id":"${id}","files":["/${id}"]}'`);
    assert.deepEqual(await listed(`${one};${two}`), [["a", "b"], ""]);
    const [found, told] = await listed(`${two};sleep 600`, 900);
    assert.deepEqual(found, ["b", "a"]);
    assert.match(told, /sh took longer than 0\.9 seconds; .* set the reader with the real program/);
    // A program that fails must be mended.
    assert.deepEqual((await listed("exit 1"))[0], []);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

test("reads of one run share its output, each at its own pace", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const log = join(folder, "runs");
    const run = shell(`echo run >> ${log}; echo one; echo two`, ["events", "x"]);
    const text = async (): Promise<string> =>
      await new Response(ReadableStream.from(sharedOutput(run, [log + "-none"]))).text();
    const slow = sharedOutput(run, [log + "-none"]);
    await slow.next();
    assert.deepEqual(await Promise.all([text(), text()]), ["one\ntwo\n", "one\ntwo\n"]);
    await slow.return(undefined);
    assert.equal(await text(), "one\ntwo\n");
    assert.equal(Deno.readTextFileSync(log), "run\n");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
