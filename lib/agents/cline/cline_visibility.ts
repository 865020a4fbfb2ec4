/**
 * Finds the tasks that the list of Cline's extension leaves out. These are missing from
 * `state/taskHistory.json` (src/core/storage/disk.ts of 3.30). Without that file, the list was in
 * the editor's state, and no task is reported. The program lists its sessions by their folders, so
 * none is left out.
 */
import { dirname } from "node:path";
import { isFileThere } from "../../core/file/presence.ts";
import { readJson } from "../engine/files/folder.ts";
import type { ReadHiddenReason } from "../contract/visibility.ts";
import { isCore, listedTasks, listPath } from "./locate.ts";

export function clineVisibility(): ReadHiddenReason {
  const lists = new Map<string, ReadonlySet<string> | undefined>();
  return ({ id, path }, { first_user_message }) => {
    if (isCore({ path }) || first_user_message === undefined) return undefined;
    const list = listPath(dirname(dirname(path)));
    if (!lists.has(list)) lists.set(list, idsIn(list));
    const ids = lists.get(list);
    if (ids === undefined || ids.has(id)) return undefined;
    const reason = Array.isArray(readJson(list))
      ? "Cline's list of tasks does not contain this task"
      : "Cline's list of tasks is damaged";
    return { reason: `${reason}: ${list}` };
  };
}

function idsIn(list: string): ReadonlySet<string> | undefined {
  return isFileThere(list) ? new Set(listedTasks(list).map(([id]) => id)) : undefined;
}
