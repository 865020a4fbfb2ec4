/** Finds the session that a reference names. */
import { SessionError } from "../event/session_error.ts";
import { parseRef } from "../source/ref.ts";
import { type SessionFolder, sessionFolders } from "./session_folder.ts";

/** Longest list of candidates in a message. */
const NAMED_CANDIDATES = 5;

function ambiguous(ref: string, folders: readonly SessionFolder[]): SessionError {
  const candidates = folders.map(({ session_id }) => session_id);
  const named = candidates.slice(0, NAMED_CANDIDATES).join(", ");
  const more = candidates.length > NAMED_CANDIDATES ? ", \u2026" : "";
  const message = `Cannot choose session: "${ref}" fits ${candidates.length}: ${named}${more}; ` +
    "give more of the id";
  return new SessionError("ambiguous", message, { ref, candidates });
}

/**
 * Finds the session whose id begins with `ref`: among those of `cwd` first, then among all.
 *
 * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`
 */
export function findSession(root: string, ref: string, cwd?: string): SessionFolder {
  const parsed = parseRef(ref);
  if (parsed.kind !== "id") {
    throw new SessionError("invalid-ref", `Cannot use reference "${ref}": give a session id`, {
      ref,
    });
  }
  const scopes = cwd === undefined ? [undefined] : [cwd, undefined];
  for (const scope of scopes) {
    const found = sessionFolders(root, scope)
      .filter(({ session_id }) => session_id.startsWith(parsed.prefix.toLowerCase()));
    const [folder] = found;
    if (found.length > 1) throw ambiguous(ref, found);
    if (folder !== undefined) return folder;
  }
  const message = `Cannot find session "${ref}"; see \`reprise list --all\` for what there is`;
  throw new SessionError("not-found", message, { ref });
}
