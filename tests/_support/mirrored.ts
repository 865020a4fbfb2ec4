/** Puts sessions into the mirror of a team's store, as a pull does. */
import { dirname, join } from "node:path";
import { mirrorLog } from "../../lib/core/store/remote_mirror.ts";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { logOf } from "./log_bytes.ts";

/** The id of a store that is none. */
export const STORE_ID = "5d3c8d0e-6a5b-4f0e-8c1d-0a4b7c2e9f10";

/** A shared session to put there. */
export interface MirroredSession {
  /** The shared session's id. */
  session: string;
  owner?: string;
  cwd?: string;
}

/** Puts a session there. Returns the path of its log. */
export function mirror(
  root: string,
  { session, owner, cwd = "/home/ann/site" }: MirroredSession,
  events: readonly NewEvent[],
): string {
  const time = "2026-11-20T10:00:00.000Z";
  const session_id = session.slice(session.indexOf(":") + 1);
  const head: NewEvent = {
    kind: "session_started",
    time,
    payload: { session_id, created_at: time, cwd },
  };
  const shared = { store: STORE_ID, session, ...(owner === undefined ? {} : { owner }) };
  const path = mirrorLog(root, shared);
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  Deno.writeFileSync(path, logOf([head, ...events.map((event) => ({ time, ...event }))]));
  return path;
}

/** Every file below the mirror. */
export function mirrorRoot(root: string): string {
  return join(root, "remote");
}
