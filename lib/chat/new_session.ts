/** Begins the session of a chat. */
import type { Session } from "../../mod.ts";
import { present } from "../event/present.ts";
import type { ChatOptions } from "./chat_options.ts";

/** A session that begins now, though its log may begin much later. */
export async function createSession(
  { store, cwd, app, now = () => new Date() }: ChatOptions,
  branch: string | undefined,
): Promise<Session> {
  const head = present({ cwd, app, ...(branch === undefined ? {} : { git: { branch } }) });
  const session = store.create(head);
  const created_at = now().toISOString();
  const payload = { ...head, session_id: session.id, created_at };
  await session.append({ kind: "session_started", time: created_at, payload });
  return session;
}
