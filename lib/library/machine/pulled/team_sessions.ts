/** Finds the copies of sessions that members of the user's team share, and that were pulled. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { present } from "../../../core/event/present.ts";
import { REPRISE } from "../../../core/event/agent_name.ts";
import { fields, isObject, text } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { SETTINGS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { TEAM_REF } from "../../../core/store/ref.ts";
import {
  MIRROR_NOTE,
  mirrorDirectory,
  mirroredLogs,
  remoteDirectory,
} from "../../../core/store/remote_mirror.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { teamRef } from "../../../agents/contract/session_name.ts";

export function isShared({ ref }: Pick<AgentSession, "ref">): boolean {
  return ref?.startsWith(TEAM_REF) ?? false;
}

export function hasShared(root: string | undefined): root is string {
  return root !== undefined && existsSync(remoteDirectory(root));
}

const PROJECT = fields({ project: text, directory: text });

/** Yields copies whose `cwd` is their project's directory on this machine. */
export function* teamSessions(root: string | undefined): Generator<AgentSession> {
  if (!hasShared(root)) return;
  const directories = directoriesHere(root);
  for (const log of mirroredLogs(root)) {
    const note = parsedJson(
      shortTextIn(join(mirrorDirectory(root, log), MIRROR_NOTE), SETTINGS_BYTES, { follow: false }),
    );
    const project = isObject(note) && typeof note.project === "string" ? note.project : "";
    const { session: id, path } = log;
    yield present({ agent: REPRISE, id, path, ref: teamRef(log), cwd: directories.get(project) });
  }
}

function directoriesHere(root: string): ReadonlyMap<string, string> {
  // A file that is not valid is reported by the commands of `sync`.
  const settings = parsedJson(
    shortTextIn(join(root, "sync.json"), SETTINGS_BYTES, { follow: false }),
  );
  const projects = isObject(settings) && Array.isArray(settings.projects) ? settings.projects : [];
  return new Map(
    projects.filter((one) => PROJECT(one) === undefined)
      .map((
        { project, directory }: { project: string; directory: string },
      ) => [project, directory]),
  );
}
