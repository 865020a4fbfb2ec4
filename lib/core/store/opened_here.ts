/** The sessions that a store has open in this process. */
import type { NewEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { heldHere } from "./lock_session.ts";

interface Opened {
  readonly id: string;
  append(event: NewEvent): Promise<{ state: string }>;
}

/** Finds open sessions by their ids. Weak references let unused sessions be collected. */
export class OpenedHere {
  readonly #sessions = new Map<string, WeakRef<Opened>>();

  add<Session extends Opened>(session: Session): Session {
    this.#sessions.set(session.id, new WeakRef(session));
    return session;
  }

  delete(session: Opened): void {
    const { id } = session;
    if (this.#sessions.get(id)?.deref() === session) this.#sessions.delete(id);
  }

  /** True if this process has the session open, even after `rest` or `detach`. */
  readonly has = (session_id: string): boolean => {
    return this.#sessions.get(session_id)?.deref() !== undefined;
  };

  /**
   * Refuses an action if this process has one of the sessions open, even if its lock is released.
   *
   * @throws {SessionError} `locked`
   */
  assertNone(action: string, sessions: readonly { session_id: string; path: string }[]): void {
    const open = sessions.find(({ session_id }) => this.has(session_id));
    if (open !== undefined) throw heldHere(action, open.path, "");
  }

  /**
   * Appends an event to an open session.
   *
   * @returns The event's place: `memory` if the session is detached; false if it is not open here.
   */
  async append(session_id: string, event: NewEvent): Promise<"log" | "memory" | false> {
    const session = this.#sessions.get(session_id)?.deref();
    if (session === undefined) return false;
    try {
      const { state } = await session.append(event);
      return state === "memory" ? "memory" : "log";
    } catch (error) {
      // The session was ended meanwhile.
      if (error instanceof SessionError && error.code === "closed") return false;
      throw error;
    }
  }
}
