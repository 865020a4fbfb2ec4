/** A disk that is full, and a limit on the size of files: what is told, what is kept, how it goes on. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { repairLog } from "../../lib/core/log/repair_log.ts";
import { indexStatus } from "../../lib/library/search/index/index_status.ts";
import { updateIndex } from "../../lib/library/search/index/index_update.ts";
import { ownSessions } from "../_support/own_sessions.ts";
import type { Session } from "../../lib/core/store/session.ts";
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import { readConfig, writeConfigValue } from "../../lib/core/workspace/config_file.ts";
import { cliProcess, jsonLines } from "../_support/cli.ts";
import { CliHome } from "../_support/cli_home.ts";
import { codesOf, readNow, user } from "../_support/log_bytes.ts";
import { mulberry32 } from "../_support/mulberry32.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { fill, SMALL_DISK, withSmallDisk } from "../_support/small_disk.ts";
import { keepPiSession } from "../commands/_pi_session.ts";
import { needing, program } from "../_support/needing.ts";

/** What `record` answers to a line. */
interface Answer {
  seq?: number;
  input_line: number;
  error?: { code: string; message: string };
}

/** What became of an append: its number, or the code of its error. */
async function outcome(session: Session, content: string): Promise<number | string> {
  try {
    const appended = await session.append(user(content));
    return appended.state === "held" ? "held" : appended.seq;
  } catch (error) {
    assert.ok(error instanceof SessionError, String(error));
    return error.code;
  }
}

function prompts(path: string): unknown[] {
  return readNow(Deno.readFileSync(path)).events.flatMap((event) =>
    event.form === "known" && event.kind === "user_message" ? [event.payload.content] : []
  );
}

Deno.test(
  needing(
    "P1 on a full disk each append is rejected as disk-full, and none is lost that was not",
    SMALL_DISK,
  ),
  async () => {
    await withSmallDisk(async (disk) => {
      const store = openLocalStore({ root: join(disk, "store") });
      const session = store.create({ cwd: disk });
      const kept: string[] = [];
      const outcomes: (number | string)[] = [];
      const free = fill(disk, 64 * 1024);
      for (let count = 0; count < 40; count++) {
        const content = `${count} ${"x".repeat(3000)}`;
        const told = await outcome(session, content);
        outcomes.push(told);
        if (typeof told === "number") kept.push(content);
        assert.equal(session.degraded, typeof told === "string", `${count}: ${told}`);
      }
      assert.ok(kept.length > 5 && kept.length < 40, `${kept.length} fitted`);
      assert.deepEqual(
        new Set(outcomes.filter((told) => typeof told === "string")),
        new Set(["disk-full"]),
      );
      await free();
      const next = await outcome(session, "after");
      assert.equal(next, kept.length + 2, `kept ${kept.length}`);
      assert.equal(session.degraded, false);
      await session.finish();
      assert.deepEqual(prompts(session.path), [...kept, "after"]);
      const read = readNow(Deno.readFileSync(session.path));
      assert.deepEqual(codesOf(read).filter((code) => code !== "malformed-line"), []);
      assert.ok(read.events.every(({ integrity }) => integrity === "verified"));
      assert.equal((await store.last())?.status, "completed");
    });
  },
);

Deno.test(
  needing(
    "P1 a session that cannot begin on a full disk leaves nothing behind, and begins later",
    SMALL_DISK,
  ),
  async () => {
    await withSmallDisk(async (disk) => {
      const root = join(disk, "store");
      const store = openLocalStore({ root });
      const free = fill(disk);
      const session = store.create({ cwd: disk });
      for (let tries = 0; tries < 5; tries++) {
        assert.equal(await outcome(session, "p"), "disk-full");
      }
      const folders = [...Deno.readDirSync(join(root, "sessions"))].flatMap(({ name }) =>
        [...Deno.readDirSync(join(root, "sessions", name))].map(({ name }) => name)
      );
      assert.ok(folders.length <= 1, `${folders.length} folders for one session`);
      await free();
      assert.equal(await outcome(session, "p"), 2);
      await session.finish();
      assert.deepEqual(prompts(session.path), ["p"]);
      assert.equal((await store.list()).length, 1);
    });
  },
);

Deno.test(
  needing("on a full disk a session is still resumed, read and listed", SMALL_DISK),
  async () => {
    await withSmallDisk(async (disk) => {
      const store = openLocalStore({ root: join(disk, "store") });
      const session = store.create({ cwd: disk });
      await session.append(user("p"));
      await session.finish();
      const free = fill(disk);
      assert.equal((await store.list()).length, 1);
      assert.equal((await store.load(session.id)).messages.length, 1);
      const resumed = await store.resume(session.id);
      const told = await outcome(resumed, "x".repeat(8000));
      assert.equal(told, "disk-full");
      await assert.rejects(resumed.finish(), SessionError);
      await resumed.release();
      await assert.rejects(store.rename(session.id, "T".repeat(8000)), (error) => {
        return error instanceof SessionError && error.code === "disk-full";
      });
      await free();
      assert.equal(await store.rename(session.id, "T"), "log");
      assert.equal((await store.list())[0]?.title, "T");
    });
  },
);

Deno.test(
  needing("P9 a repair or a setting that finds the disk full leaves no half file", SMALL_DISK),
  async () => {
    await withSmallDisk(async (disk) => {
      const root = join(disk, "store");
      const session = openLocalStore({ root }).create({ cwd: disk });
      await session.append(user("x".repeat(300_000)));
      await session.finish();
      writeConfigValue(root, "session.retention_days", 30);
      const free = fill(disk);
      const isFull = (error: unknown): boolean =>
        error instanceof SessionError && error.code === "disk-full";
      await assert.rejects(repairLog(session.path, join(disk, "out.jsonl")), isFull);
      assert.throws(() => writeConfigValue(root, "session.retention_days", 7), (error) => {
        const message = /^Cannot write settings: the disk is full; free some space and try again: /;
        return isFull(error) && message.test((error as Error).message);
      });
      assert.equal(readConfig(root)["session.retention_days"], 30);
      const names = [...Deno.readDirSync(disk), ...Deno.readDirSync(root)].map(({ name }) => name);
      assert.deepEqual(names.sort(), ["config.json", "filler", "sessions", "store"]);
      await free();
      assert.equal((await repairLog(session.path, join(disk, "out.jsonl"))).events, 5);
    });
  },
);

/** Files and folders of a disk, the filler left out. */
function filesOf(disk: string): string[] {
  return snapshot(disk).map((line) => line.split(" ")[0] ?? "").filter((name) => name !== "filler");
}

Deno.test(
  needing(
    "on a full disk commands that copy and index say so and leave nothing; what reads goes on",
    SMALL_DISK,
  ),
  async () => {
    await withSmallDisk(async (disk) => {
      await using home = new CliHome();
      const { ref } = keepPiSession(home);
      const env = { REPRISE_HOME: join(disk, "store"), REPRISE_CACHE: join(disk, "cache") };
      const stdin = '{"kind":"user_message","payload":{"content":"a prompt"}}\n';
      const recorded = await home.run(["record"], { env, stdin });
      const [{ session_id } = {}] = jsonLines<{ session_id: string }>(recorded.stdout);
      assert.ok(session_id !== undefined, recorded.stderr);
      const lines = [
        ...[["import", ref], ["backup", ref], ["fork", session_id], ["index", "build"]],
        ...["html", "md", "jsonl", "atif"].map((
          format,
        ) => ["export", session_id, "--format", format, "--out", join(disk, `out.${format}`)]),
      ];
      const before = filesOf(disk);
      const free = fill(disk);
      for (const args of lines) {
        const { status, stdout, stderr } = await home.run(args, { env });
        assert.deepEqual([status, stdout], [1, ""], `${args.join(" ")}: ${stderr}`);
        assert.match(stderr, /^reprise: Cannot .*: the disk is full; free some space/);
      }
      const found = await home.run(["search", "prompt", "--json"], { env });
      assert.deepEqual(jsonLines(found.stdout).map(({ seq }) => seq), [2]);
      assert.deepEqual(filesOf(disk).filter((path) => !isDerived(path)), before);
      await free();
      for (const args of lines) {
        const { status, stderr } = await home.run(args, { env });
        assert.equal(status, 0, `${args.join(" ")}: ${stderr}`);
      }
      assert.equal((await openLocalStore({ root: env.REPRISE_HOME }).list()).length, 4);
      assert.deepEqual((await home.run(["doctor"], { env })).status, 0);
    });
  },
);

Deno.test(
  needing(
    "an index whose disk is full halfway leaves nothing of the build, and says so",
    SMALL_DISK,
  ),
  async () => {
    for (const spare of [4096, 16_384, 131_072]) {
      await withSmallDisk(async (disk) => {
        const root = join(disk, "store");
        const session = openLocalStore({ root }).create({ cwd: disk });
        const random = mulberry32(spare);
        const words = Array.from({ length: 20_000 }, () => random().toString(36).slice(2, 8));
        await session.append(user(words.join(" ")));
        await session.finish();
        const sources = ownSessions(root);
        const free = fill(disk, spare);
        await assert.rejects(updateIndex(root, sources), (error) => {
          assert.ok(error instanceof SessionError);
          assert.equal(error.code, "disk-full");
          assert.match(
            error.message,
            /^Cannot write index: the disk is full; free some space and try /,
          );
          return true;
        });
        const names = [...Deno.readDirSync(root)].map(({ name }) => name);
        assert.ok(!names.some((name) => name.endsWith("-journal")), names.join());
        assert.equal(indexStatus(root, sources).texts, 0);
        await free();
        assert.equal((await updateIndex(root, sources)).passed_over, 0);
        assert.equal(indexStatus(root, sources).state, "current");
      });
    }
  },
);

/** True for a file of the cache. */
function isDerived(path: string): boolean {
  return path.startsWith("cache");
}

Deno.test(
  needing(
    "record on a full disk answers disk-full to each line, and says so at the end",
    SMALL_DISK,
  ),
  async () => {
    await withSmallDisk(async (disk) => {
      await using home = new CliHome();
      const lines = Array.from({ length: 300 }, (_, index) =>
        JSON.stringify({
          kind: "user_message",
          payload: { content: `${index} ${"x".repeat(8000)}` },
        }));
      const result = await home.run(["record", "--durability", "none"], {
        stdin: lines.join("\n"),
        env: { REPRISE_HOME: join(disk, "store") },
      });
      const answers = jsonLines<Answer>(result.stdout);
      assert.equal(answers.length, 300);
      assert.deepEqual(
        answers.map(({ input_line }) => input_line),
        lines.map((_, index) => index + 1),
      );
      const failed = answers.flatMap(({ error }) => error ?? []);
      assert.ok(failed.length > 100 && failed.length < 290, `${failed.length} failed`);
      assert.deepEqual(new Set(failed.map(({ code }) => code)), new Set(["disk-full"]));
      assert.match(
        failed[0]?.message ?? "",
        /^Cannot (write event|seal log): the disk is full; free some space and try again: /,
      );
      assert.equal(result.status, 1);
      const [row] = await openLocalStore({ root: join(disk, "store") }).list();
      assert.ok(row !== undefined);
      const acknowledged = answers.filter(({ seq }) => seq !== undefined);
      assert.equal(prompts(row.path).length, acknowledged.length);
    });
  },
);

Deno.test(
  needing(
    "a limit on the size of files is a full disk for record, and does not kill it",
    program("prlimit", "util-linux"),
  ),
  async () => {
    await using home = new CliHome();
    const record = cliProcess(["record"], { home: home.path, cwd: home.work, stdin: "" }).spawn();
    const stderr = new Response(record.stderr).text();
    const stdout = record.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    const input = record.stdin.getWriter();
    const send = (lines: string[]): Promise<void> =>
      input.write(new TextEncoder().encode(lines.join("\n") + "\n"));
    const lines = Array.from({ length: 40 }, (_, index) =>
      JSON.stringify({
        kind: "user_message",
        payload: { content: `${index} ${"x".repeat(1500)}` },
      }));
    await send(lines.slice(0, 1));
    const first = (await stdout.next()).value ?? "";
    // Only now: the runtime's own cache may be larger when it starts.
    const limit = ["--pid", String(record.pid), `--fsize=${24 * 1024}:`];
    assert.ok(new Deno.Command("prlimit", { args: limit }).outputSync().success);
    await send(lines.slice(1));
    await input.close();
    const rest = await Array.fromAsync({
      [Symbol.asyncIterator]: () => stdout,
    });
    const answers = jsonLines<Answer>(first + rest.join(""));
    const { code } = await record.status;
    assert.equal(answers.length, 40);
    assert.equal(code, 1, "neither killed by SIGXFSZ (153) nor done");
    const failed = answers.flatMap(({ error }) => error ?? []);
    assert.ok(failed.length > 10 && failed.length < 40);
    assert.deepEqual(new Set(failed.map(({ code }) => code)), new Set(["disk-full"]));
    assert.match(await stderr, /^reprise: Cannot .*: the disk is full; free some space/);
    const [row] = await openLocalStore({ root: home.store }).list();
    const acknowledged = answers.filter(({ seq }) => seq !== undefined);
    assert.equal(prompts(row?.path ?? "").length, acknowledged.length);
  },
);
