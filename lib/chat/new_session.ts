/**
 * How the session of a chat begins.
 */
import type { Session } from "../../mod.ts";
import type { ChatOptions } from "./chat_options.ts";
import type { WorkTree } from "./work_tree.ts";

/** A session that begins now, though its log may begin much later. */
export async function createSession(options: ChatOptions, tree: WorkTree): Promise<Session> {
  const { store, cwd, app, now = () => new Date() } = options;
  const { git_branch: branch } = tree;
  const head = {
    cwd,
    ...(app === undefined ? {} : { app }),
    ...(branch === undefined ? {} : { git: { branch } }),
  };
  const session = store.create(head);
  const created_at = now().toISOString();
  const payload = { ...head, session_id: session.id, created_at };
  await session.append({ kind: "session_started", time: created_at, payload });
  return session;
}
