/** The kept copy of a deleted session is packed, and is read as it was. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { keepSession } from "../../../lib/features/backup/keep_session.ts";
import { listBackups } from "../../../lib/features/backup/list_backups.ts";
import { packGenerations } from "../../../lib/features/backup/pack_generations.ts";
import { filesOf } from "../../../lib/features/backup/watched_sessions.ts";
import { writeFrames } from "../../../lib/features/backup/zstd_file.ts";
import { FRAME_BYTES, frameTable, PACKED_SUFFIX } from "../../../lib/core/file/framed_file.ts";
import { openRegularFile } from "../../../lib/core/file/regular_file.ts";
import {
  mainFile,
  readKeptManifest,
  shownGeneration,
} from "../../../lib/library/machine/kept/manifest.ts";
import { lookAtSession } from "../../../lib/library/catalogue/session_state.ts";
import { stampFile } from "../../../lib/library/search/index/source_stamp.ts";
import { readWhole } from "../../../lib/core/log/read_whole.ts";
import { SeekMode } from "../../../lib/core/platform/file_system.ts";
import type { Agent, AgentSession } from "../../../lib/agents/contract/agent.ts";
import { agentFiles } from "../../_support/agent_files.ts";
import { FaultyFiles } from "../../_support/faulty_files.ts";
import { lines, RewrittenSession } from "../../_support/rewritten_session.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";
import { testsWith } from "../../_support/tests_in.ts";

const inDeleted = testsWith(deleted);

const LOG = "latest/projects/work/s1.jsonl";
const PACKED = LOG + PACKED_SUFFIX;
/** A log of some frames. */
const LINES = lines(3400, 1);

const KEPT_AT = new Date("2026-11-21T20:00:00.000Z");

/** A session that its agent deleted, packed. */
async function deleted(): Promise<RewrittenSession> {
  const session = new RewrittenSession();
  await session.write(LINES);
  Deno.removeSync(session.path);
  Deno.utimeSync(join(session.folder, LOG), KEPT_AT, KEPT_AT);
  await packGenerations(session.folder);
  return session;
}

/** Reads a range of the session's log by its path. */
function read({ folder }: RewrittenSession, from = 0, to = Infinity): string {
  using file = openRegularFile(join(folder, LOG)).file;
  const bytes = new Uint8Array(Math.min(to, file.statSync().size) - from);
  file.seekSync(from, SeekMode.Start);
  return new TextDecoder().decode(readWhole(file, bytes));
}

inDeleted.test("a deleted session takes its packed bytes alone, and reading changes nothing", async (session) => {
  const state = (): unknown[] => {
    const { size, mtime, ino } = Deno.statSync(join(session.folder, PACKED));
    return [session.files(), size, mtime, ino];
  };
  const before = state();
  assert.deepEqual([before[0], before[2]], [[PACKED, "manifest.json"], KEPT_AT]);
  assert.ok(session.disk_bytes < 0.6 * LINES.length, `${session.disk_bytes}`);
  assert.equal(read(session), LINES);
  for (const at of [1, FRAME_BYTES - 3, FRAME_BYTES, LINES.length - 5]) {
    assert.equal(read(session, at, at + 5), LINES.slice(at, at + 5));
  }
  const path = join(session.folder, LOG);
  const sizes = [stampFile(path), lookAtSession({ agent: "claude", id: "s1", path })];
  assert.deepEqual(sizes.map(({ size }) => size), [LINES.length, LINES.length]);
  assert.deepEqual(state(), before);
  assert.deepEqual(await session.restored(), session.hashes);
});

Deno.test("a session stays plain while it stands", async () => {
  using session = new RewrittenSession();
  await session.write(lines(100, 1));
  assert.equal(await packGenerations(session.folder), undefined);
  assert.deepEqual(session.files(), [LOG, "manifest.json"]);
});

inDeleted.test("a session that comes back is plain again, and goes on", async (session) => {
  await session.keep();
  assert.deepEqual(session.files(), [PACKED, "manifest.json"]);
  assert.equal(listBackups(session.root)[0]?.generations[0]?.bytes, LINES.length);
  {
    using files = new FaultyFiles(session.folder);
    await session.write(LINES + lines(1, 2));
    const at = (name: string, file: string): number =>
      files.calls.findIndex((call) => call.name === name && call.path.endsWith(file));
    const synced = at("file.syncData", `${LOG}.tmp`);
    assert.ok(synced >= 0 && synced < at("removeSync", PACKED), "it survives a loss of power");
  }
  assert.deepEqual(session.files(), [LOG, "manifest.json"]);
  assert.deepEqual(await session.restored(), session.hashes.slice(1));
});

inDeleted.test("a damaged packed session is refused, and copied anew once it is back", async (session) => {
  const path = join(session.folder, PACKED);
  const whole = Deno.readFileSync(path);
  for (const at of [0, 10, whole.length >> 1, whole.length - 30, whole.length - 1]) {
    const bytes = whole.slice();
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    for (const damaged of [bytes, whole.subarray(0, at)]) {
      Deno.writeFileSync(path, damaged);
      assert.throws(() => read(session), { code: "damaged" }, `${at}`);
    }
  }
  for (const rest of [whole.subarray(0, whole.length >> 1), undefined]) {
    if (rest === undefined) Deno.removeSync(path);
    else Deno.writeFileSync(path, rest);
    Deno.writeTextFileSync(session.path, LINES);
    await session.keep(false);
    assert.deepEqual(session.files(), [LOG, "manifest.json"]);
    assert.equal(read(session), LINES);
    Deno.removeSync(session.path);
    await packGenerations(session.folder);
  }
});

inDeleted.test("a packed log whose table does not fit its frames is refused", (session) => {
  const frame = zstdCompressSync("hello\n");
  const { length } = frame;
  const write = (...table: [number, number][]): void =>
    Deno.writeFileSync(join(session.folder, PACKED), Uint8Array.of(...frame, ...frameTable(table)));
  write([length, 6]);
  assert.equal(read(session), "hello\n");
  for (const plain of [5, 7]) {
    write([length, plain]);
    assert.throws(() => read(session), { code: "damaged" });
  }
  write([length - 1, 6]);
  assert.throws(() => read(session), { code: "damaged" });
  write([length, 6], [0, 0]);
  assert.throws(() => read(session), { code: "damaged" });
});

Deno.test("earlier generations of a deleted session are restored from its packed one", async () => {
  using session = new RewrittenSession();
  for (const turn of [1, 2, 3]) await session.write(`{"turn":${turn}}\n${LINES}`);
  Deno.removeSync(session.path);
  await packGenerations(session.folder);
  const { packed = [] } = readKeptManifest(session.folder) ?? {};
  assert.deepEqual(packed.map(({ base }) => base === undefined), [false, false, true]);
  assert.ok(session.disk_bytes < 0.7 * LINES.length, `${session.disk_bytes}`);
  assert.deepEqual(await session.restored(), session.hashes);
});

/** Packs a file as the log of a deleted session. */
async function packFile(path: string): Promise<void> {
  {
    using file = openRegularFile(path).file;
    const { size, mtime } = file.statSync();
    await writeFrames(path + PACKED_SUFFIX, file, size);
    Deno.utimeSync(path + PACKED_SUFFIX, mtime ?? 0, mtime ?? 0);
  }
  Deno.removeSync(path);
}

/** Everything that a reader tells of a session. */
async function readAll(agent: Agent, session: AgentSession): Promise<unknown> {
  const reader = agent.open(session);
  return [
    await reader.summarize(),
    await reader.threads(),
    await reader.readTail({ messages: 2 }),
    await Array.fromAsync(reader.read()),
    await Array.fromAsync(reader.messages()),
    await Array.fromAsync(reader.usage()),
  ];
}

// Slow: samples of every agent are read twice.
inDirectory.test("every agent reads its packed log as the plain one", async (directory) => {
  const agents = new Set<string>();
  let number = 0;
  for await (const { agent, session } of agentFiles(ALL_TORTURE ? Infinity : 1)) {
    if (!session.path.endsWith(".jsonl")) continue;
    const folder = join(directory, `${number++}`);
    const files = await filesOf(session);
    const { manifest } = await keepSession({ session, folder, files, now: new Date() });
    if (manifest === undefined) continue;
    const kept = {
      ...session,
      path: join(folder, mainFile(shownGeneration(manifest)).copy),
    };
    const plain = await readAll(agent, kept);
    await packFile(kept.path);
    assert.deepEqual(await readAll(agent, kept), plain, session.path);
    agents.add(agent.name);
  }
  assert.ok(agents.size >= 15, [...agents].join());
});
