/** Keeps Codex out of a rollout that is to be changed. */
import { join } from "node:path";
import { openRegularFile } from "../../file/regular_file.ts";
import { toSessionError } from "../../log/io_error.ts";
import { isNotFound } from "../../platform/system_error.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import type { SessionFile, SessionHold } from "../../source/session_repair.ts";
import { codexHome } from "./locate.ts";

/** Takes the lock that a terminal holds on an open thread. */
export async function holdRollout(
  { id, path }: SessionFile,
  { folder }: AgentPlace,
): Promise<SessionHold> {
  const root = codexHome(path) ?? folder;
  const lock = join(root, "thread-writer-locks", `${id}.lock`);
  try {
    const { file } = openRegularFile(lock, { what: "lock" });
    if (!file.tryLockSync(true)) {
      file.close();
      return await Promise.resolve({
        busy: `Codex has the session open and holds the lock ${lock}; quit Codex first`,
      });
    }
    return {
      release(): void {
        file.unlockSync();
        file.close();
      },
    };
  } catch (error) {
    // Nobody ever had it open.
    if (isNotFound(error)) return { release(): void {} };
    throw toSessionError(error, "look at lock", lock);
  }
}
