/**
 * Holds a lock of a session's folder for a while: `shared` as a reader's probe does, `exclusive` as
 * a writer; or only probes it. Arguments: folder, kind, milliseconds. Says `held` once it has it.
 */
import { join } from "node:path";
import { probeLock } from "../../../lib/core/log/lock_file.ts";
import { acquireLock } from "../../../lib/core/log/session_lock.ts";

const [directory = "", kind, milliseconds] = Deno.args;

async function hold(): Promise<() => unknown> {
  if (kind === "exclusive") {
    const holder = { pid: Deno.pid, host: "test", since: "2026-11-21T20:21:53.123Z" };
    const lock = await acquireLock(directory, holder);
    return () => lock.release();
  }
  if (kind === "probe") return probeLock.bind(undefined, join(directory, "lock"));
  const file = Deno.openSync(join(directory, "lock"), { read: true });
  file.tryLockSync(false);
  return () => file.close();
}

if (import.meta.main) {
  const release = await hold();
  await Deno.stdout.write(new TextEncoder().encode("held\n"));
  await new Promise((resolve) => setTimeout(resolve, Number(milliseconds)));
  release();
}
