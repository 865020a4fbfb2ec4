/** Withdraws sessions that a member shared. */
import { SessionError } from "../../core/event/session_error.ts";
import { beginsWith } from "../../library/query/find_mirrored.ts";
import { parseRef } from "../../core/store/ref.ts";
import { AGENT_NAMES } from "../../core/event/agent_name.ts";
import { ambiguous } from "../../core/store/session_folder.ts";
import { allInParallel } from "./objects/in_parallel.ts";
import { writeHead } from "./objects/heads.ts";
import {
  ownerCopies,
  parseCopyKey,
  withdrawnKey,
  withdrawnPrefix,
  withdrawnSession,
} from "./objects/object_keys.ts";
import type { Team } from "./open_team.ts";
import type { SyncSettings } from "./shared_project.ts";
import { readSyncState, writeSyncState } from "./state/sync_state.ts";

export async function withdrawnSessions({ objects, owner }: Team): Promise<string[]> {
  const pages = await Array.fromAsync(objects.list(withdrawnPrefix(owner)));
  return pages.flat().map(({ key }) => withdrawnSession(owner, key));
}

/** The keys of a member's objects in the store, by session id. */
type OwnCopies = ReadonlyMap<string, readonly string[]>;

async function ownCopies({ objects, owner }: Team): Promise<OwnCopies> {
  const prefix = ownerCopies(owner);
  const found = new Map<string, string[]>();
  for await (const page of objects.list(prefix)) {
    for (const { key } of page) {
      const below = key.slice(key.indexOf("/", prefix.length) + 1);
      const { session } = parseCopyKey(below) ?? {};
      if (session === undefined) continue;
      found.set(session, [...found.get(session) ?? [], key]);
    }
  }
  return found;
}

function named(ids: readonly string[], ref: string, owner: string): string {
  const parsed = parseRef(ref, AGENT_NAMES);
  if (parsed.kind === "team" && parsed.owner !== undefined && parsed.owner !== owner) {
    const message = `Cannot withdraw ${ref}: ${parsed.owner} shares this session, so only ` +
      `${parsed.owner} can withdraw it`;
    throw new SessionError("permission", message, { ref });
  }
  if (parsed.kind === "path") {
    const message = `Cannot use reference "${ref}": give the id of a shared session, not a path`;
    throw new SessionError("invalid-ref", message, { ref });
  }
  const agent = parsed.kind === "id" ? undefined : parsed.agent;
  const [only, ...others] = ids.filter((id) => beginsWith(id, agent, parsed.prefix));
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined) throw ambiguous(ref, [only, ...others], "type more of the id");
  const message = `Cannot withdraw session: you do not share a session with this id: ${ref}`;
  throw new SessionError("not-found", message, { ref });
}

/**
 * Deletes the copies of a member's sessions in the store. No machine of the member shares these
 * sessions again. Copies that other members already pulled stay with them.
 *
 * @param root The data root. @param refs The sessions. If one is not found, none is withdrawn.
 * @returns The ids of the sessions.
 * @throws {SessionError} `not-found`, `ambiguous`, `permission`, `invalid-ref`; the store's errors
 */
export async function withdraw(
  root: string,
  team: Team,
  { device }: SyncSettings,
  refs: readonly string[],
): Promise<string[]> {
  const { objects, owner, id: store } = team;
  const copies = await ownCopies(team);
  // A withdrawal that was cut off has left a mark, and maybe no copy.
  const ids = [...new Set([...copies.keys(), ...await withdrawnSessions(team)])];
  const sessions = [...new Set(refs.map((ref) => named(ids, ref, owner)))];
  const state = readSyncState(root, store, owner);
  const projects = new Set<string>();
  for (const id of sessions) {
    // First: what is deleted must not be sent again.
    await objects.put(withdrawnKey(owner, id), new TextEncoder().encode("{}\n"));
    await allInParallel(copies.get(id) ?? [], (key) => objects.delete(key));
    const { project } = state.sessions[id] ?? {};
    if (project !== undefined) projects.add(project);
    state.sessions[id] = {
      project: project ?? "",
      state: [],
      edition: 0,
      parts: [],
      withdrawn: true,
    };
  }
  for (const project of projects) {
    const names = Object.values(state.sessions).filter((one) => one.project === project)
      .flatMap(({ parts }) => parts);
    const place = { owner, device: device.id, project, machine: device.label };
    await writeHead(objects, place, names);
  }
  writeSyncState(root, state);
  return sessions;
}
