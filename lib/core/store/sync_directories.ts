/** Syncs folders, so that names of new files in them survive a power cut. */
import { SessionError } from "../event/session_error.ts";
import { reasonOf } from "../log/io_error.ts";
import { open } from "../platform/files.ts";
import { operatingSystem } from "../platform/runtime.ts";
import { isNotSupported } from "../platform/system_error.ts";

/** Maximum number of folders that are synced at the same time: Node has four threads for it. */
const MOST = 4;

const waiting = new Map<string, PromiseWithResolvers<void>>();
let running = 0;

export async function syncDirectories(paths: readonly string[]): Promise<void> {
  // A directory cannot be opened, nor needs it, on Windows.
  if (operatingSystem === "windows") return;
  try {
    await Promise.all(paths.map(syncSoon));
  } catch (error) {
    const message = `Cannot sync folder: ${reasonOf(error)}`;
    throw new SessionError("sync-failed", message, { written: true }, error);
  }
}

function syncSoon(path: string): Promise<void> {
  let wait = waiting.get(path);
  if (wait === undefined) {
    waiting.set(path, wait = Promise.withResolvers());
    startNext();
  }
  return wait.promise;
}

function startNext(): void {
  const [next] = waiting;
  if (next === undefined || running >= MOST) return;
  const [path, { resolve, reject }] = next;
  waiting.delete(path);
  running++;
  void syncDirectory(path).then(resolve, reject).finally(() => {
    running--;
    startNext();
  });
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, { read: true });
  try {
    await directory.sync();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  } finally {
    directory.close();
  }
}

/** True for the error of a file system that cannot sync folders. */
function isUnsupported(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === "EINVAL" || code === "ENOTSUP" || isNotSupported(error);
}
