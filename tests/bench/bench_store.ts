/**
 * Stores full of sessions, for lists.
 */
import { join } from "node:path";
import { LOG_FILE, sessionsDirectory } from "../../lib/core/store/session_folder.ts";
import { folderName } from "../../lib/core/store/session_id.ts";
import { namespaceOf } from "../../lib/core/workspace/namespace.ts";
import { writeSessionLog } from "./bench_log.ts";
import { seededRandom } from "./random.ts";
import { textPool } from "./text_pool.ts";

/** What to fill a store with. */
export interface BenchStore {
  root: string;
  sessions: number;
  /** Bytes of each session. */
  bytes: number;
  /** Working directories that the sessions are of, in turn. */
  directories: readonly string[];
}

const SEED = 1000;
const FIRST = Date.parse("2026-01-01T09:00:00.000Z");
const HOUR = 3_600_000;
/** One session in so many was not closed: its writer was killed. */
const INTERRUPTED = 10;

function sessionId(index: number): string {
  return `3f6a2b91-0d4c-4f7e-8a15-${index.toString(16).padStart(12, "0")}`;
}

/** Removes what a run that was stopped has left of a store. */
function removeStore(root: string): void {
  try {
    Deno.removeSync(root, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Makes a store; says the id of its first session. */
export function makeBenchStore({ root, sessions, bytes, directories }: BenchStore): string {
  removeStore(root);
  const random = seededRandom(SEED);
  const source = { random, text: textPool(random) };
  for (let index = 0; index < sessions; index++) {
    const created = new Date(FIRST + index * HOUR);
    const cwd = directories[index % directories.length] ?? "/";
    const name = folderName(created, sessionId(index));
    const directory = join(sessionsDirectory(root), namespaceOf(cwd), name);
    Deno.mkdirSync(directory, { recursive: true, mode: 0o700 });
    Deno.writeFileSync(join(directory, "lock"), new Uint8Array(0), { mode: 0o600 });
    writeSessionLog(join(directory, LOG_FILE), {
      source,
      bytes,
      session_id: sessionId(index),
      created,
      cwd,
      closed: index % INTERRUPTED !== 0,
    });
  }
  return sessionId(0);
}
