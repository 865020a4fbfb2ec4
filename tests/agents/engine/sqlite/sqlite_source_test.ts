import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openSqlite } from "../../../../lib/agents/engine/sqlite/sqlite_source.ts";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { childPath } from "../../../_support/processes.ts";
import { needing, UNIX } from "../../../_support/needing.ts";
import { tempFile } from "../../../_support/temp_file.ts";

interface Held {
  folder: string;
  path: string;
  kill(): Promise<void>;
}

/** A database that another process has open and has written to. */
async function holdDatabase(journal: "wal" | "delete"): Promise<Held> {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "a b%3F.db");
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", childPath("database_child"), path, journal],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  let killed = false;
  return {
    folder,
    path,
    async kill(): Promise<void> {
      if (killed) return;
      killed = true;
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
      await child.stdin.close().catch(() => {});
    },
  };
}

function listing(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => {
    const { size, mtime, mode } = Deno.statSync(join(folder, name));
    return `${name} ${size} ${mtime?.getTime()} ${mode}`;
  }).sort();
}

/** Reads the table and says how it was opened; the folder must stay as it was. */
function readUnchanged({ folder, path }: Held): { rows: unknown[]; access: string } {
  const before = listing(folder);
  const source = openSqlite(path);
  const rows = source.database.prepare("SELECT x FROM t").all().map(({ x }) => x);
  assert.deepEqual(listing(folder), before);
  source.close();
  assert.deepEqual(listing(folder), before);
  return { rows, access: source.access };
}

Deno.test("a database at rest is read as it lies, and nothing appears beside it", async () => {
  const held = { folder: await Deno.makeTempDir(), path: "", kill: () => Promise.resolve() };
  held.path = join(held.folder, "rest.db");
  const database = new DatabaseSync(held.path);
  database.exec("PRAGMA journal_mode=wal; CREATE TABLE t(x); INSERT INTO t VALUES ('kept')");
  database.close();
  assert.deepEqual(readUnchanged(held), { rows: ["kept"], access: "immutable" });
  await Deno.writeFile(`${held.path}-wal`, new Uint8Array(0));
  assert.deepEqual(readUnchanged(held), { rows: ["kept"], access: "immutable" });
  await Deno.remove(held.folder, { recursive: true });
});

Deno.test("a database in use is read with its log, and not even its marks change", async () => {
  const held = await holdDatabase("wal");
  try {
    assert.deepEqual(readUnchanged(held), { rows: ["kept"], access: "shared" });
    await held.kill();
    assert.deepEqual(readUnchanged(held), { rows: ["kept"], access: "shared" });
  } finally {
    await held.kill();
    await Deno.remove(held.folder, { recursive: true });
  }
});

Deno.test("a database whose agent crashed and left only its log is read from a copy", async () => {
  const held = await holdDatabase("wal");
  try {
    await held.kill();
    await Deno.remove(`${held.path}-shm`);
    assert.deepEqual(readUnchanged(held), { rows: ["kept"], access: "copy" });
  } finally {
    await held.kill();
    await Deno.remove(held.folder, { recursive: true });
  }
});

Deno.test("a transaction that a crash cut off is not read as if it had been made", async () => {
  const held = await holdDatabase("delete");
  try {
    await held.kill();
    assert.ok((await Deno.stat(`${held.path}-journal`)).size > 0);
    assert.deepEqual(readUnchanged(held), { rows: ["kept"], access: "copy" });
  } finally {
    await held.kill();
    await Deno.remove(held.folder, { recursive: true });
  }
});

Deno.test("readers share a private copy, which is gone once all are closed", async () => {
  const held = await holdDatabase("wal");
  try {
    await held.kill();
    await Deno.remove(`${held.path}-shm`);
    const source = openSqlite(held.path);
    const copy = source.database.location();
    assert.ok(copy !== null && !copy.startsWith(held.folder));
    assert.equal(Deno.statSync(copy).mode! & 0o777, 0o600);
    assert.equal(copyOf(held.path), copy);
    await Deno.utime(held.path, 1, 1);
    assert.notEqual(copyOf(held.path), copy);
    source.close();
    assert.throws(() => Deno.statSync(copy), Deno.errors.NotFound);
  } finally {
    await Deno.remove(held.folder, { recursive: true });
  }
});

function copyOf(path: string): string {
  using source = openSqlite(path);
  return source.database.location() ?? assert.fail();
}

Deno.test("a database without its own log, or with another one's, is read or refused", async () => {
  const [one, other] = [await holdDatabase("wal"), await holdDatabase("wal")];
  await one.kill();
  await other.kill();
  for (const [log, size] of [[`${other.path}-wal`, Infinity], [`${one.path}-wal`, 40]] as const) {
    await Deno.writeFile(`${one.path}-wal`, (await Deno.readFile(log)).slice(0, size));
    await Deno.remove(`${one.path}-shm`).catch(() => {});
    try {
      copyOf(one.path);
    } catch (error) {
      assert.ok(error instanceof SessionError, String(error));
    }
  }
  for (const { folder } of [one, other]) await Deno.remove(folder, { recursive: true });
});

Deno.test("a missing database and another file are typed errors", () => {
  using file = tempFile("text.db", "This is a text, though called a database.".repeat(99));
  const fails = (at: string, code: string): void => {
    assert.throws(
      () => openSqlite(at),
      (error) => error instanceof SessionError && error.code === code,
    );
  };
  fails(file.path, "unsupported-source");
  fails(join(file.folder, "absent.db"), "not-found");
  fails(file.folder, "unsupported-source");
});

Deno.test(needing("a pipe beside a database is refused, and not waited for", UNIX), async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "a.db");
  const made = new DatabaseSync(path);
  made.exec("CREATE TABLE t(x)");
  made.close();
  for (const suffix of ["-wal", "-shm", "-journal"]) {
    if (suffix === "-shm") await Deno.writeTextFile(`${path}-wal`, "a log");
    new Deno.Command("mkfifo", { args: [path + suffix] }).outputSync();
    assert.throws(
      () => openSqlite(path),
      (error) => error instanceof SessionError && error.code === "unsupported-source",
      suffix,
    );
    await Deno.remove(path + suffix);
  }
  await Deno.remove(folder, { recursive: true });
});
