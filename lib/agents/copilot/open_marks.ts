/**
 * Finds the sessions that running clients have open. Copilot CLI (1.0) keeps `inuse.<pid>.lock` in
 * a session's folder. The file remains if the client is killed.
 */
import { changeTime } from "../../core/file/presence.ts";
import { isRunning, runsAtAll } from "../../core/platform/process_state.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { OpenMarks } from "../contract/agent_descriptor.ts";
import { listFolder } from "../engine/files/folder.ts";
import { ownFolder } from "../engine/files/own_folder.ts";

export function openMarks(): OpenMarks {
  return {
    async isOpen(session): Promise<boolean | undefined> {
      let open: boolean | undefined;
      for (const { pid, path } of locksOf(session)) {
        open = open === true || await isRunning({ pid, seen: changeTime(path) });
      }
      return open;
    },
    processOf: (session) => locksOf(session).find(({ pid }) => runsAtAll(pid))?.pid,
  };
}

function locksOf(session: AgentSession): { pid: number; path: string }[] {
  const folder = ownFolder(session);
  return (folder === undefined ? [] : listFolder(folder)).map(({ name, path }) => ({
    pid: Number(/^inuse\.(\d+)\.lock$/.exec(name)?.[1]),
    path,
  })).filter(({ pid }) => pid > 0);
}
