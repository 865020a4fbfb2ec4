/** Prevents Codex from opening a rollout while Reprise changes it. */
import { join } from "node:path";
import { openRegularFile } from "../../core/file/regular_file.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { isNotFound } from "../../core/platform/system_error.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import type { RepairedFile, SessionHold } from "../contract/session_repair.ts";
import { codexHome } from "./locate.ts";

/** Tries to take a thread's lock. Returns `busy` if a Codex client holds the lock. */
export async function holdRollout(
  { id, path }: RepairedFile,
  { folder }: AgentPlace,
): Promise<SessionHold> {
  const root = codexHome(path) ?? folder;
  const lock = join(root, "thread-writer-locks", `${id}.lock`);
  try {
    const { file } = openRegularFile(lock, { what: "lock" });
    if (!file.tryLockSync(true)) {
      file.close();
      return await Promise.resolve({
        busy: `Codex has the session open (lock file: ${lock}); quit Codex first`,
      });
    }
    return {
      release(): void {
        file.unlockSync();
        file.close();
      },
    };
  } catch (error) {
    // Codex never had the thread open.
    if (isNotFound(error)) return { release(): void {} };
    throw toSessionError(error, "look at lock", lock);
  }
}
