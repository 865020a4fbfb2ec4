/**
 * Finds the sessions that running clients have open. Copilot CLI (1.0) keeps `inuse.<pid>.lock` in a
 * session's folder; killed, it leaves the file.
 */
import { statSync } from "../../platform/files.ts";
import { isRunning } from "../../platform/process_state.ts";
import type { OpenMarks } from "../../source/agent_descriptor.ts";
import { listFolder } from "../../reading/files/folder.ts";
import { ownFolder } from "../../reading/files/own_folder.ts";

export function openMarks(): OpenMarks {
  return {
    async isOpen(session): Promise<boolean | undefined> {
      const folder = ownFolder(session);
      let open: boolean | undefined;
      for (const { name, path } of folder === undefined ? [] : listFolder(folder)) {
        const pid = Number(/^inuse\.(\d+)\.lock$/.exec(name)?.[1]);
        if (pid > 0) open = open === true || await isRunning({ pid, seen: writtenAt(path) });
      }
      return open;
    },
  };
}

function writtenAt(path: string): number {
  try {
    return statSync(path).mtime?.getTime() ?? 0;
  } catch {
    // Removed since: its process has ended.
    return 0;
  }
}
