/** Appends any number of events in one write. */
import type { NewEvent, Session } from "../../mod.ts";

/** Appends events and resolves when they are on the disk; none is no write. */
export async function appendAll(session: Session, events: readonly NewEvent[]): Promise<void> {
  const [first, second, ...more] = events;
  if (first === undefined) return;
  await (second === undefined ? session.append(first) : session.append(first, second, ...more));
  await session.sync();
}
