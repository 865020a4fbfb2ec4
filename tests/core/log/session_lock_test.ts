import assert from "node:assert/strict";
import { join } from "node:path";
import { type LockHolder, SessionError } from "../../../lib/core/event/session_error.ts";
import { probeLock } from "../../../lib/core/log/lock_file.ts";
import {
  acquireLock,
  acquireNewLock,
  isLocked,
  readHolder,
  type SessionLock,
} from "../../../lib/core/log/session_lock.ts";
import { Child, childPath } from "../../_support/processes.ts";
import { runTraced, STRACE } from "../../_support/strace.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { needing, UNIX } from "../../_support/needing.ts";

const HOLDER: LockHolder = { pid: 4711, host: "ada-laptop", since: "2026-11-21T20:21:50.002Z" };

function codeIs(code: string): (error: unknown) => boolean {
  return (error) => error instanceof SessionError && error.code === code;
}

inDirectory.test("a lock says who holds it, and nothing is left of the note when it is let go", async (directory) => {
  assert.equal(isLocked(directory), false);
  const lock = await acquireLock(directory, HOLDER);
  assert.equal(isLocked(directory), true);
  assert.deepEqual(readHolder(directory), HOLDER);
  lock.release();
  assert.equal(isLocked(directory), false);
  assert.equal(readHolder(directory), undefined);
  assert.deepEqual([...Deno.readDirSync(directory)].map(({ name }) => name), ["lock"]);
});

inDirectory.test("a folder is moved with its lock held, and on Windows after it", async (parent) => {
  const [from, to] = [join(parent, "a"), join(parent, "b")];
  for (const [os, held] of [["linux", true], ["windows", false]] as const) {
    Deno.mkdirSync(from);
    const lock = await acquireLock(from, HOLDER);
    lock.releaseAround(() => {
      assert.equal(probeLock(join(from, "lock")), held ? "locked" : "free");
      Deno.renameSync(from, to);
    }, os);
    lock.release();
    assert.deepEqual([...Deno.readDirSync(to)].map(({ name }) => name), ["lock"]);
    Deno.removeSync(to, { recursive: true });
  }
});

inDirectory.test("a second writer is refused as locked, with the holder in words and data", async (directory) => {
  const lock = await acquireLock(directory, HOLDER);
  await assert.rejects(acquireLock(directory, HOLDER), (error) => {
    assert.ok(error instanceof SessionError);
    assert.equal(error.code, "locked");
    assert.deepEqual(error.data.holder, HOLDER);
    assert.equal(
      error.message,
      "Cannot open session for writing: process 4711 on ada-laptop has been writing the session since " +
        "2026-11-21T20:21:50.002Z; stop that process first",
    );
    return true;
  });
  assert.throws(() => acquireNewLock(directory, HOLDER), codeIs("locked"));
  lock.release();
  (await acquireLock(directory, HOLDER)).release();
});

inDirectory.test("a holder that left no note, or a torn one, is another process", async (directory) => {
  const lock = await acquireLock(directory, HOLDER);
  for (const note of [undefined, "", '{"pid":47', '{"pid":"4711"}', "null"]) {
    if (note === undefined) Deno.removeSync(join(directory, "lock.json"));
    else Deno.writeTextFileSync(join(directory, "lock.json"), note);
    assert.equal(readHolder(directory), undefined);
    await assert.rejects(acquireLock(directory, HOLDER), /another process is writing the session;/);
  }
  lock.release();
});

inDirectory.test("a probe changes nothing and makes no lock file", (directory) => {
  assert.equal(isLocked(directory), false);
  assert.equal(isLocked(join(directory, "not there")), false);
  assert.deepEqual([...Deno.readDirSync(directory)], []);
});

// Slow: a reader holds the lock for longer than a writer waits.
Deno.test(
  needing("a writer waits for a reader's probe, whether the folder is new or not", UNIX),
  async () => {
    for (const isNew of [false, true]) {
      await withDirectory(async (directory) => {
        Deno.writeFileSync(join(directory, "lock"), new Uint8Array(0), { mode: 0o600 });
        const lock = await behindReader(directory, isNew);
        assert.equal(isLocked(directory), true);
        lock.release();
      });
    }
  },
);

/** Takes the lock while a reader probes, for longer than a writer waits for another one. */
async function behindReader(directory: string, isNew: boolean): Promise<SessionLock> {
  await using reader = new Child("lock_child", [directory, "shared", "300"]);
  assert.equal(await reader.line(), "held");
  return isNew ? acquireNewLock(directory, HOLDER) : await acquireLock(directory, HOLDER);
}

Deno.test(
  needing("the lock of a process that was killed is free, and its note is replaced", UNIX),
  async () => {
    await withDirectory(async (directory) => {
      await using writer = new Child("lock_child", [directory, "exclusive", "60000"]);
      assert.equal(await writer.line(), "held");
      assert.equal(isLocked(directory), true);
      await assert.rejects(acquireLock(directory, HOLDER), (error) => {
        return error instanceof SessionError && error.data.holder?.pid === writer.pid;
      });
      writer.kill();
      await writer.status();
      assert.equal(isLocked(directory), false);
      assert.equal(readHolder(directory)?.pid, writer.pid);
      const lock = await acquireLock(directory, HOLDER);
      assert.deepEqual(readHolder(directory), HOLDER);
      lock.release();
    });
  },
);

Deno.test(
  needing(
    "a lock is let go in so many words: a process that is being started may share its descriptor",
    STRACE,
  ),
  async () => {
    await withDirectory(async (directory) => {
      const path = join(directory, "lock");
      for (const [kind, taken] of [["exclusive", "LOCK_EX"], ["probe", "LOCK_SH"]]) {
        const { calls, stdout } = await runTraced(
          ["-P", path, "-e", "trace=flock,close"],
          [Deno.execPath(), "run", "-A", childPath("lock_child"), directory, kind ?? "", "0"],
        );
        assert.equal(stdout, "held\n");
        // A call that waits is told in two lines, and a signal in one of its own.
        const begun = calls.filter((call) => /^\d+ +(flock|close)\(/.test(call));
        const order = begun.map((call) => /LOCK_(EX|SH|UN)|close/.exec(call)?.[0]);
        assert.deepEqual(order, [taken, "LOCK_UN", "close"]);
      }
    });
  },
);

Deno.test(needing("the lock file is never replaced", UNIX), async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, "lock");
    acquireNewLock(directory, HOLDER).release();
    const { ino, mode } = Deno.statSync(path);
    assert.equal((mode ?? 0) & 0o777, 0o600);
    (await acquireLock(directory, HOLDER)).release();
    assert.equal(Deno.statSync(path).ino, ino);
    assert.equal(Deno.statSync(path).size, 0);
  });
});

Deno.test(
  needing(
    "P8 a link in place of the lock is refused, and one in place of the note is not followed",
    UNIX,
  ),
  async () => {
    await withDirectory(async (directory) => {
      const outside = join(directory, "outside");
      Deno.writeTextFileSync(outside, "precious");
      const session = join(directory, "session");
      Deno.mkdirSync(session);
      Deno.symlinkSync(outside, join(session, "lock.json"));
      const lock = await acquireLock(session, HOLDER);
      assert.equal(Deno.readTextFileSync(outside), "precious");
      assert.deepEqual(readHolder(session), HOLDER);
      assert.equal((Deno.lstatSync(join(session, "lock.json")).mode ?? 0) & 0o777, 0o600);
      lock.release();

      Deno.removeSync(join(session, "lock"));
      Deno.symlinkSync(outside, join(session, "lock"));
      await assert.rejects(acquireLock(session, HOLDER), codeIs("unsafe-store"));
      Deno.removeSync(join(session, "lock"));
      Deno.linkSync(outside, join(session, "lock"));
      await assert.rejects(acquireLock(session, HOLDER), codeIs("unsafe-store"));
      Deno.removeSync(join(session, "lock"));
      Deno.mkdirSync(join(session, "lock"));
      await assert.rejects(acquireLock(session, HOLDER), codeIs("unsafe-store"));
      assert.equal(Deno.readTextFileSync(outside), "precious");
    });
  },
);

Deno.test(
  needing("locking works if the note cannot be written", UNIX),
  async () => {
    await withDirectory(async (directory) => {
      Deno.mkdirSync(join(directory, "lock.json", "in the way"), { recursive: true });
      const lock = await acquireLock(directory, HOLDER);
      assert.equal(isLocked(directory), true);
      await assert.rejects(
        acquireLock(directory, HOLDER),
        /another process is writing the session/,
      );
      lock.release();
      assert.equal(isLocked(directory), false);
    });
  },
);

inDirectory.test("a folder that is gone has no lock to take", async (directory) => {
  await assert.rejects(acquireLock(join(directory, "gone"), HOLDER), codeIs("not-found"));
});
