/**
 * The chats that belong to a chat. Those of its sub-agents are beside it, in a folder named by its id
 * (0.61, chatRecordingService.ts). Those of a sub-agent in turn are in a folder named by the
 * sub-agent's id. Versions before kept them in the same folder and under the same id as the chat.
 */
import { basename, dirname, join } from "node:path";
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { chatsBeside, chatsOfSameId, geminiSession } from "./locate.ts";

/** The chat of a sub-agent, and the thread that started it. */
export interface Subagent extends AgentSession {
  parent: string;
}

/** The sub-agents of a chat, each behind the one that started it. */
export function subagentsOf(session: AgentSession): Subagent[] {
  const folder = dirname(session.path);
  const chats = basename(dirname(folder)) === "chats" ? dirname(folder) : folder;
  const found = new Map<string, Subagent>();
  for (const path of chatsOfSameId(session)) {
    const id = basename(path).replace(/\.jsonl?$/, "");
    found.set(id, { ...session, id, path, parent: MAIN_THREAD });
  }
  const open = [{ id: session.id, thread: MAIN_THREAD }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { id: owner, thread: parent } = next;
    for (const { path } of chatsBeside(join(chats, owner))) {
      const { id } = geminiSession(path);
      if (found.has(id) || id === session.id) continue;
      found.set(id, { ...session, id, path, parent });
      open.push({ id, thread: id });
    }
  }
  return [...found.values()];
}
