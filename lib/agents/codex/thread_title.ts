/**
 * The title of a thread: its user's name for it, else its first prompt (Codex 0.169, table threads:
 * `name`, then `title`). Of a fork that is its own first prompt, not that of the thread before it.
 */
import { excerpt } from "../../projection/summary.ts";
import { contentTexts } from "./item_content.ts";
import type { CodexSession } from "./rollout.ts";
import { headRecords } from "./rollout_head.ts";
import { isPrompt } from "./rollout_record.ts";
import { codexHome, readThreadNames } from "./session_index.ts";
import { shownPrompt } from "./shown_prompt.ts";

/** Returns a thread with its name, where it has one. */
export function withName(session: CodexSession): CodexSession {
  if (session.named) return session;
  const home = codexHome(session.path);
  const thread_name = home === undefined ? undefined : readThreadNames(home).get(session.id);
  return { ...session, named: true, ...(thread_name === undefined ? {} : { thread_name }) };
}

/** Returns a fork with its title. */
export async function withForkTitle(session: CodexSession): Promise<CodexSession> {
  const named = withName(session);
  if (named.thread_name !== undefined) return named;
  for await (const record of headRecords(session.path)) {
    const prompt = isPrompt(record)
      ? excerpt(shownPrompt(contentTexts(record.payload.content)))
      : "";
    if (prompt !== "") return { ...named, thread_name: prompt };
  }
  return named;
}
