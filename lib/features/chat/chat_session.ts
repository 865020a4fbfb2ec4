/** Begins the session of a chat, or reads the state of one to resume. */
import type { Session } from "../../../mod.ts";
import { present } from "../../core/event/present.ts";
import { conversation, type ConversationState, readEvents } from "../../core/pipeline/mod.ts";
import { findResumePoint } from "../../core/store/resume_point.ts";
import type { ChatOptions } from "./chat_options.ts";

/** Creates a session that begins now. The log file is made only when another event is appended. */
export async function createSession(
  { store, cwd, app, now = () => new Date() }: ChatOptions,
  branch: string | undefined,
): Promise<Session> {
  const head = present({ cwd, app, git: branch === undefined ? undefined : { branch } });
  const session = store.create(head);
  const created_at = now().toISOString();
  const payload = { ...head, session_id: session.id, created_at };
  await session.append({ kind: "session_started", time: created_at, payload });
  return session;
}

export interface ResumeState {
  conversation: ConversationState;
  /** The last stored branch of the work tree. */
  git_branch: string | undefined;
}

/**
 * Reads the state of a session, from the log's end back to its last compaction.
 *
 * @param path The log.
 * @param past_calls `omit` leaves out the tool calls and reasoning of earlier turns.
 */
export async function readResumeState(
  path: string,
  past_calls: "include" | "omit" = "include",
): Promise<ResumeState> {
  const { from, to, ...head } = await findResumePoint(path);
  const reasoning = past_calls;
  const sent = conversation({ tools: past_calls, reasoning, ...head, partial: from > 0 });
  const kinds = new Set([...sent.needs, "session_started", "workspace_snapshot"] as const);
  let state = sent.initial();
  let git_branch: string | undefined;
  for await (const events of readEvents(path, { kinds, from, to })) {
    for (const event of events) {
      state = sent.apply(state, event);
      if (event.form !== "known") continue;
      if (event.kind === "session_started") git_branch = event.payload.git?.branch;
      if (event.kind === "workspace_snapshot") git_branch = event.payload.git_branch;
    }
  }
  if (past_calls === "include") return { conversation: state, git_branch };
  const base = sent.result(state).messages;
  const { unanswered_call } = state;
  return { conversation: { ...sent.initial(), base, unanswered_call }, git_branch };
}
