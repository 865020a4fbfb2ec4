/**
 * A session's own JSON, as its file before 1.2 and an export have it (`Session.Info`, OpenCode
 * 1.18.34, session/session.ts).
 */
import { asName, asNumber, asObject, present } from "../../../reading/json_value.ts";
import type { Fields, SessionInfo } from "../stored_session.ts";
import { revertOf } from "./session_row.ts";

/** Takes it as the session's info. */
export function toSessionInfo(id: string, fields: Fields, weight: number): SessionInfo {
  const time = asObject(fields.time);
  return present({
    id,
    parent_id: asName(fields.parentID),
    directory: asName(fields.directory),
    title: asName(fields.title),
    version: asName(fields.version),
    created: asNumber(time.created),
    updated: asNumber(time.updated),
    archived: asNumber(time.archived),
    revert: revertOf(fields.revert),
    weight,
  });
}

/** True if an object is a session's own. */
export function isSessionJson(value: unknown): boolean {
  const { id, role, time, title, version, projectID, directory } = asObject(value);
  if (asName(id) === undefined || role !== undefined || typeof title !== "string") return false;
  if (asNumber(asObject(time).created) === undefined) return false;
  return [version, projectID, directory].some((field) => typeof field === "string");
}
