/** Chooses a thread by a name that a user gives. */
import { SessionError } from "../event/session_error.ts";

/**
 * The one of some threads' ids that a name is, or is the start of.
 *
 * @throws {SessionError} `not-found`, `ambiguous`
 */
export function chosenThread(name: string, ids: readonly string[]): string {
  if (ids.includes(name)) return name;
  const [first, ...more] = ids.filter((id) => id.startsWith(name));
  if (first === undefined) {
    throw new SessionError("not-found", `Cannot find thread: none is "${name}"`, { ref: name });
  }
  if (more.length === 0) return first;
  const candidates = [first, ...more];
  const message = `Cannot choose thread: "${name}" fits ${candidates.length}: ` +
    `${candidates.slice(0, 5).join(", ")}; give more of the id`;
  throw new SessionError("ambiguous", message, { ref: name, candidates });
}
