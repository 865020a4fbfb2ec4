/** Opens the session to which a name in herdr, a terminal multiplexer, points. */
import { SessionError } from "../../../core/event/session_error.ts";
import type { AgentEnvironment } from "../../../agents/contract/agent_environment.ts";
import type { SessionHandle } from "../session_handle.ts";
import { herdrPointers, pointedRef, pointerNamed } from "../../machine/herdr_pointers.ts";

const REF = /^herdr:(.*?)((?:~[A-Za-z0-9][A-Za-z0-9._:-]*)?(?:#\d+)?)$/s;

/**
 * Opens the session in a named pane, tab or workspace of herdr, a terminal multiplexer.
 *
 * @param ref `herdr:<name>`, optionally followed by a thread or an event.
 * @throws {SessionError} `not-found` (no such name or session), `ambiguous`, `unsupported-source`
 */
export async function openPointed(
  environment: AgentEnvironment,
  ref: string,
  open: (ref: string) => Promise<SessionHandle>,
): Promise<SessionHandle> {
  const [, name = "", place = ""] = REF.exec(ref) ?? [];
  const pointer = pointerNamed(herdrPointers(environment), name);
  const target = pointedRef(pointer);
  if (pointer.agent === undefined && pointer.target.kind === "id") {
    const message = `Cannot open "${ref}": this pane of herdr (a terminal multiplexer) shows ` +
      `session ${target} of the agent ${pointer.agent_word}, and Reprise cannot read sessions ` +
      "of this agent";
    throw new SessionError("unsupported-source", message, { ref });
  }
  try {
    return await open(target + place);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "not-found") throw error;
    const message =
      `Cannot open "${ref}": this pane of herdr (a terminal multiplexer) shows session ` +
      `${target}, but this session does not exist`;
    throw new SessionError("not-found", message, { ref }, error);
  }
}
