/**
 * Finds the threads that running clients have open. For each open thread, Codex (0.169) locks a
 * file, and removes the file when it closes the thread. A killed client leaves the file without a
 * lock.
 */
import { join } from "node:path";
import { probeLock } from "../../core/log/lock_file.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import type { OpenMarks } from "../contract/agent_descriptor.ts";
import { listFolder } from "../engine/files/folder.ts";

export function openMarks(place: AgentPlace): OpenMarks {
  const folder = join(place.folder, "thread-writer-locks");
  const named = new Set(listFolder(folder).map(({ name }) => name.replace(/\.lock$/, "")));
  return {
    named,
    isOpen({ id }): boolean | undefined {
      const state = named.has(id) ? probeLock(join(folder, `${id}.lock`)) : "unknown";
      return state === "unknown" ? undefined : state === "locked";
    },
  };
}
