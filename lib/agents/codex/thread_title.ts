/**
 * The title of a thread: its user's name for it, else its first prompt (Codex 0.169, table threads:
 * `name`, then `title`). Of a fork that is its own first prompt, not that of the thread before it.
 */
import { excerpt } from "../../projection/summary.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { applyLine } from "./apply_record.ts";
import { LIST_FILTER } from "./line_filter.ts";
import { type CodexSession, type Rollout, startRollout } from "./rollout.ts";
import { rolloutEdges } from "./rollout_head.ts";
import { codexHome, readThreadNames } from "./session_index.ts";
import { shownPrompt } from "./shown_prompt.ts";

/** A thread with its name, where it has one. */
export function withName(session: CodexSession): CodexSession {
  if (session.named) return session;
  const home = codexHome(session.path);
  const thread_name = home === undefined ? undefined : readThreadNames(home).get(session.id);
  return { ...session, named: true, ...(thread_name === undefined ? {} : { thread_name }) };
}

/** A fork with its title. */
export async function withForkTitle(session: CodexSession): Promise<CodexSession> {
  const named = withName(session);
  if (named.thread_name !== undefined) return named;
  const { head } = await rolloutEdges(session.path, { tail_bytes: 0 });
  const rollout = startRollout(session, new EventWriter(session, new Set()));
  for (const line of head) {
    if (firstPrompt(rollout) !== "") break;
    applyLine(rollout, line, LIST_FILTER);
  }
  const prompt = excerpt(firstPrompt(rollout));
  return prompt === "" ? named : { ...named, thread_name: prompt };
}

/** The first prompt that a person saw; empty while none came. */
export function firstPrompt({ prompts }: Rollout): string {
  for (const prompt of prompts) {
    const shown = shownPrompt(prompt);
    if (shown !== "") return shown;
  }
  return "";
}
