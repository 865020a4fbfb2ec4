import type { ParentInfo } from "../event/payload.ts";

/**
 * What a session was made from, as a person writes it. The number of a merge is one of the merged
 * session itself: as an event of the parent it would lead astray.
 */
export function parentName({ session_id, seq, reason }: ParentInfo): string {
  return seq === undefined || reason === "merge" ? session_id : `${session_id}#${seq}`;
}
