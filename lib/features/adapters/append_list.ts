/** Appends lists of any length: a function takes only so many arguments. */
import type { NewEvent, Session } from "../../../mod.ts";

/** Maximum number of events of one write. */
const AT_ONCE = 10_000;

/** Appends a list of events in one write, or in several for very long lists. */
export async function appendList(
  session: Pick<Session, "append">,
  events: readonly NewEvent[],
): Promise<void> {
  for (let at = 0; at < events.length; at += AT_ONCE) {
    await session.append(...events.slice(at, at + AT_ONCE));
  }
}
