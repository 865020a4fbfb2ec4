/**
 * Returns why pi's own list hides a session. pi lists one folder: that of the directory in which it
 * starts. The source is session-manager.ts of pi 0.73 to 0.87. The user may name one folder for
 * all. Tested with 0.87.1.
 */
import { basename, dirname, join } from "node:path";
import { spellings } from "../engine/files/folder_match.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import type { ReadHiddenReason } from "../contract/visibility.ts";
import { directoryAbsence } from "../../core/workspace/session_directory.ts";
import { folderName } from "./locate.ts";

export function piVisibility(place: AgentPlace): ReadHiddenReason {
  return ({ path }, { cwd }) => {
    if (cwd === undefined) return undefined;
    // pi refuses a session whose directory is gone. A fork belongs to the directory it is made in.
    const absence = directoryAbsence(cwd);
    if (absence !== undefined) {
      const fork = { argv: ["pi", "--fork", path], in_directory: false } as const;
      return {
        reason: `the session's directory is ${absence}: ${cwd}`,
        commands: [fork],
        copy_helps: true,
      };
    }
    const folder = dirname(path);
    if (dirname(folder) !== join(place.folder, "sessions")) return undefined;
    if (spellings(cwd).some((spelling) => basename(folder) === folderName(spelling))) {
      return undefined;
    }
    const reason = `the session's file is in another project's folder: ${basename(folder)}`;
    return { reason, copy_helps: true };
  };
}
