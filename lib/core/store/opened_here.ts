/** The sessions that a store has open in this process. */
import type { NewEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";

/** An open session, as far as it takes new titles. */
interface Opened {
  readonly id: string;
  readonly on_disk: boolean;
  append(event: NewEvent): Promise<unknown>;
}

/** Finds open sessions by their ids, and keeps none alive. */
export class OpenedHere {
  readonly #sessions = new Map<string, WeakRef<Opened>>();

  /** Adds a session, and returns it. */
  add<Session extends Opened>(session: Session): Session {
    this.#sessions.set(session.id, new WeakRef(session));
    return session;
  }

  /** Forgets a session that ended. */
  delete(session: Opened): void {
    const { id } = session;
    if (this.#sessions.get(id)?.deref() === session) this.#sessions.delete(id);
  }

  /** Appends an event to the log of an open session. Returns false if it is not open here. */
  async append(session_id: string, event: NewEvent): Promise<boolean> {
    const session = this.#sessions.get(session_id)?.deref();
    if (session === undefined || !session.on_disk) return false;
    try {
      await session.append(event);
      return true;
    } catch (error) {
      // It was ended meanwhile.
      if (error instanceof SessionError && error.code === "closed") return false;
      throw error;
    }
  }
}
