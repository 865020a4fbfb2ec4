/** Faults of the system, one at a time: what the caller is told, and what is in the log afterwards. */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import type { Script, Step, StepAnswer } from "../_support/children/session_child.ts";
import { encodeEvent } from "../../lib/core/event/encode.ts";
import type { Event, NewEvent } from "../../lib/core/event/envelope.ts";
import { openStore } from "../../lib/core/store/open_store.ts";
import { namespaceOf } from "../../lib/core/workspace/namespace.ts";
import { codesOf, type Read, readNow, user } from "../_support/log_bytes.ts";
import { childPath } from "../_support/processes.ts";
import { runTraced, STRACE } from "../_support/strace.ts";
import { needing, program } from "../_support/needing.ts";

const PRLIMIT = program("prlimit", "util-linux");

interface Outcome {
  answers: StepAnswer[];
  /** What the program asked of the log: one call a line. */
  calls: string[];
  read: Read;
  status: number;
}

/** Runs steps on a session of one prompt, in a process whose log has a fault. */
async function withFault(
  fault: readonly string[],
  steps: Step[],
  script: Partial<Script> = {},
): Promise<Outcome> {
  const root = await Deno.makeTempDir({ prefix: "reprise-fault-" });
  try {
    const session = openStore({ root }).create({ cwd: root });
    await session.append({ kind: "user_message", payload: { content: "before" } });
    const { id, path } = session;
    await session.release();
    const argument = JSON.stringify({ root, resume: id, steps, ...script });
    const traced = await runTraced(
      ["-P", path, "-e", "trace=write,fdatasync,openat", ...fault],
      [Deno.execPath(), "run", "-A", childPath("session_child"), argument],
    );
    assert.equal(traced.stderr, "");
    return {
      answers: traced.stdout.trim().split("\n").map((line) => JSON.parse(line)),
      calls: traced.calls,
      read: readNow(Deno.readFileSync(path)),
      status: traced.status,
    };
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Texts of the prompts in a log. */
function prompts({ events }: Read): unknown[] {
  return events.flatMap((event) =>
    event.form === "known" && event.kind === "user_message" ? [event.payload.content] : []
  );
}

/** Answers in short: `3 synced`, or the code of the error with the number it names. */
function outline(answers: readonly StepAnswer[]): string[] {
  return answers.map(({ seq, state, error, degraded }) => {
    const told = error === undefined
      ? `${seq} ${state}`
      : [error.code, error.seq, error.written && "written"].filter(Boolean).join(" ");
    return degraded ? `${told}, degraded` : told;
  });
}

const THREE: Step[] = ["one", "two", "three"].map((content) => ({ append: user(content) }));

Deno.test(
  needing("without a fault, every append is acknowledged and in the log", STRACE),
  async () => {
    const { answers, read, calls } = await withFault([], THREE);
    assert.deepEqual(outline(answers), ["3 synced", "4 synced", "5 synced"]);
    assert.deepEqual(prompts(read), ["before", "one", "two", "three"]);
    assert.deepEqual(codesOf(read), []);
    assert.equal(calls.filter((call) => call.includes("write(")).length, 3);
  },
);

Deno.test(
  needing("P1 an interrupted write is retried silently", STRACE),
  async () => {
    const { answers, read, calls } = await withFault(
      ["-e", "inject=write:error=EINTR:when=2"],
      THREE,
    );
    assert.equal(calls.filter((call) => call.includes("INJECTED")).length, 1);
    assert.deepEqual(outline(answers), ["3 synced", "4 synced", "5 synced"]);
    assert.deepEqual(prompts(read), ["before", "one", "two", "three"]);
    assert.deepEqual(codesOf(read), []);
  },
);

Deno.test(
  needing("P1 after a short write the rest is written, from the byte behind", STRACE),
  async () => {
    // The tracer answers in the system's place, so the first seven bytes are not in the file.
    const { answers, calls } = await withFault(["-e", "inject=write:retval=7:when=2"], THREE);
    const writes = calls.filter((call) => call.includes("write("));
    assert.equal(writes.length, 4);
    assert.match(writes[1] ?? "", /write\(\d+<.*>, "\{\\"v\\":1,\\"seq\\":4.*\) = 7 \(INJECTED\)/);
    assert.match(writes[2] ?? "", /write\(\d+<.*>, "\\"seq\\":4,.*\) = \d+$/);
    assert.deepEqual(outline(answers), ["3 synced", "4 synced", "5 synced"]);
  },
);

for (
  const [fault, code] of [
    ["ENOSPC", "disk-full"],
    ["EDQUOT", "disk-full"],
    ["EFBIG", "disk-full"],
    ["EROFS", "permission"],
    ["EIO", "io"],
  ] as const
) {
  Deno.test(
    needing(`P1 a write that fails with ${fault} rejects that append alone: ${code}`, STRACE),
    async () => {
      const { answers, read, calls } = await withFault(
        ["-e", `inject=write:error=${fault}:when=2`],
        [...THREE, "finish"],
      );
      assert.deepEqual(outline(answers.slice(0, 3)), ["3 synced", `${code}, degraded`, "4 synced"]);
      assert.deepEqual(prompts(read), ["before", "one", "three"]);
      assert.deepEqual(codesOf(read), []);
      const opened = calls.filter((call) => call.includes("O_APPEND"));
      assert.equal(opened.length, 2, "a fresh descriptor after the failure");
      assert.equal(answers[3]?.error, undefined);
    },
  );
}

// Slow: each fault of the system needs a process.
Deno.test(
  needing(
    "P1 appends made at once: the one whose write fails is rejected, its neighbours are kept",
    STRACE,
  ),
  async () => {
    for (const when of [1, 2, 3]) {
      const { answers, read } = await withFault(
        ["-e", `inject=write:error=ENOSPC:when=${when}`],
        [{ together: ["a", "b", "c"].map(user) }, "sync"],
      );
      const told = answers.slice(0, 3).map(({ state, error }) => error?.code ?? state);
      const expected = ["synced", "synced", "synced"];
      expected[when - 1] = "disk-full";
      assert.deepEqual(told, expected);
      assert.deepEqual(answers.slice(0, 3).flatMap(({ seq }) => seq ?? []), [3, 4]);
      assert.equal(answers[3]?.error, undefined, "what was written can still be synced");
      assert.equal(prompts(read).length, 3);
    }
  },
);

Deno.test(
  needing("P1 a sync that fails says that the event is written, and its number is used", STRACE),
  async () => {
    const { answers, read, calls } = await withFault(
      ["-e", "inject=fdatasync:error=EIO:when=1"],
      [{ append: user("one") }, "sync"],
    );
    assert.deepEqual(outline(answers), [
      "sync-failed 3 written, degraded",
      "sync-failed 3 written, degraded",
    ]);
    assert.match(answers[1]?.error?.message ?? "", /^Cannot sync log: Input\/output error/);
    assert.deepEqual(prompts(read), ["before", "one"]);
    assert.equal(
      calls.filter((call) => call.includes("fdatasync")).length,
      1,
      "no second try is believed",
    );
  },
);

Deno.test(
  needing("P1 after a failed sync the next append goes on with a fresh descriptor", STRACE),
  async () => {
    // Each thread of the program counts its own calls, so the fault may come more than once.
    const { answers, read, calls } = await withFault(
      ["-e", "inject=fdatasync:error=EIO:when=1"],
      [...THREE, { append: user("four") }, { append: user("five") }, { append: user("six") }],
    );
    const failed = calls.filter((call) => call.includes("INJECTED")).length;
    const told = answers.map(({ seq, error }) => error?.seq ?? seq);
    assert.deepEqual(told, [3, 4, 5, 6, 7, 8]);
    assert.equal(answers.filter(({ error }) => error?.code === "sync-failed").length, failed);
    assert.equal(answers.filter(({ state }) => state === "synced").length, 6 - failed);
    assert.ok(failed >= 1 && failed < 6);
    assert.equal(
      calls.filter((call) => call.includes("O_APPEND")).length >= 1 + Math.min(failed, 5),
      true,
    );
    assert.deepEqual(prompts(read), ["before", "one", "two", "three", "four", "five", "six"]);
    assert.deepEqual(codesOf(read), []);
  },
);

Deno.test(
  needing("P1 events that wait for a sync on the same descriptor are rejected with it", STRACE),
  async () => {
    const { answers, read } = await withFault(
      ["-e", "inject=fdatasync:error=EIO:when=1"],
      [{ together: ["a", "b", "c"].map(user) }],
    );
    assert.deepEqual(outline(answers), [
      "sync-failed 3 written, degraded",
      "sync-failed 4 written, degraded",
      "sync-failed 5 written, degraded",
    ]);
    assert.deepEqual(prompts(read), ["before", "a", "b", "c"]);
  },
);

Deno.test(
  needing(
    "P1 a session whose log cannot be made leaves no folder, and is made once it can",
    STRACE,
  ),
  async () => {
    for (const name of ["lock", "transcript_events.jsonl"]) {
      const root = await Deno.makeTempDir({ prefix: "reprise-fault-" });
      const id = "3f6a2b91-0d4c-4f7e-8a15-6c2d9e7b0a48";
      const namespace = join(root, "sessions", namespaceOf(Deno.realPathSync(root)));
      const folder = join(namespace, `20261121T202153123Z-${id}`);
      const script: Script = { root, id, steps: [...THREE, "finish"] };
      const { stdout } = await runTraced(
        [
          "-P",
          join(folder, name),
          "-e",
          "trace=openat",
          "-e",
          "inject=openat:error=ENOSPC:when=1..2",
        ],
        [Deno.execPath(), "run", "-A", childPath("session_child"), JSON.stringify(script)],
      );
      const answers: StepAnswer[] = stdout.trim().split("\n").map((line) => JSON.parse(line));
      assert.deepEqual(outline(answers.slice(0, 3)), [
        "disk-full, degraded",
        "disk-full, degraded",
        "2 synced",
      ]);
      assert.deepEqual([...Deno.readDirSync(namespace)].map(({ name }) => name), [
        basename(folder),
      ]);
      assert.deepEqual(
        prompts(readNow(Deno.readFileSync(join(folder, "transcript_events.jsonl")))),
        ["three"],
      );
      await Deno.remove(root, { recursive: true });
    }
  },
);

/** An event that is no boundary. */
const NOTICE: NewEvent = {
  kind: "notice",
  payload: { audience: "user", title: "t", text: "" },
};

Deno.test(
  needing(
    "P1 a folder whose name cannot be synced is told with each event that waits for it",
    STRACE,
  ),
  async () => {
    for (const [fault, synced] of [["EIO", false], ["EINVAL", true]] as const) {
      const root = await Deno.makeTempDir({ prefix: "reprise-fault-" });
      const script: Script = {
        root,
        steps: [{ append: user("one") }, { append: NOTICE }, "finish"],
      };
      const { stdout, calls } = await runTraced(
        ["-e", "trace=fsync", "-e", `inject=fsync:error=${fault}`],
        [Deno.execPath(), "run", "-A", childPath("session_child"), JSON.stringify(script)],
      );
      assert.ok(calls.length >= 3, "the folders that are new are synced");
      const answers: StepAnswer[] = stdout.trim().split("\n").map((line) => JSON.parse(line));
      // Some file systems say that they do not sync folders, and need not.
      assert.deepEqual(
        outline(answers).slice(0, 2),
        synced ? ["2 synced", "3 written"] : ["sync-failed 2 written, degraded", "3 written"],
      );
      const [row] = await openStore({ root }).list();
      assert.deepEqual([row?.message_count, row?.status], [1, "completed"]);
      await Deno.remove(root, { recursive: true });
    }
  },
);

/** Bytes of the line that the first step of {@linkcode THREE} appends. */
const LINE_BYTES = encodeEvent({
  ...user("one") as Omit<Event & { kind: "user_message" }, "seq">,
  time: "2026-11-21T20:21:53.123Z",
  seq: 3,
}).length;

const UNLIMITED: Step = { room: "unlimited" };

// Slow: each fault of the system needs a process.
Deno.test(
  needing(
    "P1 a write that is cut short for good rejects that append, and nothing is glued to it",
    STRACE,
    PRLIMIT,
  ),
  async () => {
    for (const room of [0, 1, 50, LINE_BYTES - 2]) {
      const [one = "sync", two = "sync"] = THREE;
      const { answers, read, calls } = await withFault([], [{ room }, one, "sync", UNLIMITED, two]);
      assert.deepEqual(answers.map(({ state, error }) => error?.code ?? state), [
        "limited",
        "disk-full",
        undefined,
        "limited",
        "synced",
      ]);
      assert.equal(answers[1]?.degraded, true);
      assert.deepEqual(prompts(read), ["before", "two"]);
      assert.deepEqual(codesOf(read), room === 0 ? [] : ["malformed-line"]);
      assert.equal(read.tally.damage, room === 0 ? 0 : room + 1);
      if (room > 0) assert.ok(calls.some((call) => call.endsWith(`= ${room}`)), "a short write");
    }
  },
);

Deno.test(
  needing(
    "P1 while the disk stays full every append is rejected, also where sealing fails",
    STRACE,
    PRLIMIT,
  ),
  async () => {
    const { answers, read } = await withFault([], [{ room: 50 }, ...THREE, UNLIMITED, "finish"]);
    const codes = answers.slice(1, 4).map(({ error }) => error?.code);
    assert.deepEqual(codes, ["disk-full", "disk-full", "disk-full"]);
    assert.match(answers[2]?.error?.message ?? "", /^Cannot continue log: the disk is full/);
    assert.deepEqual(answers[5], { degraded: false });
    assert.deepEqual(codesOf(read), ["malformed-line"]);
    assert.deepEqual(read.events.at(-1)?.kind, "session_closed");
  },
);

Deno.test(
  needing(
    "P1 an event that only lacks its newline is kept, and its number is not used again",
    STRACE,
    PRLIMIT,
  ),
  async () => {
    const [one = "sync", two = "sync"] = THREE;
    const { answers, read } = await withFault([], [{ room: LINE_BYTES - 1 }, one, UNLIMITED, two]);
    assert.deepEqual(answers.map(({ seq, state }) => seq ?? state), ["limited", 3, "limited", 4]);
    assert.deepEqual(prompts(read), ["before", "one", "two"]);
    assert.deepEqual(codesOf(read), []);
  },
);
