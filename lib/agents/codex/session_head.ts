/**
 * Converts a thread's head to `session_started` (codex-rs/protocol, SessionMeta). The first
 * `session_meta` of a file belongs to the file's own thread. Later `session_meta` records were
 * copied from the forked thread.
 */
import type { GitInfo, ParentInfo, SessionStartedPayload } from "../../core/event/payload.ts";
import { excerpt } from "../../core/projection/excerpt.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { gitInfo } from "../engine/git_info.ts";
import { asName, asObject, present } from "../engine/json.ts";
import { contentTexts, shownPrompt } from "./item_content.ts";
import { originOf, type Rollout } from "./rollout.ts";
import { headRecords, spawnedBy } from "./rollout_file.ts";
import { isPrompt, type RolloutRecord } from "./rollout_record.ts";
import { codexHome, type CodexSession, readThreadNames } from "./locate.ts";

/**
 * The output that Codex sends to the model for a call without output
 * (codex-rs/core/src/context_manager/normalize.rs, `ensure_call_outputs_present`).
 */
export const UNANSWERED = "aborted";

type Payload = Readonly<Record<string, unknown>>;

/** Emits the head once, before the first event. An old thread's directory is known only then. */
export function startSession(rollout: Rollout, record?: RolloutRecord): void {
  if (rollout.started) return;
  const { meta = record } = rollout;
  if (meta === undefined) return;
  rollout.started = true;
  const payload = rollout.meta === undefined ? {} : meta.payload;
  const head = sessionStarted(rollout, payload, meta.time);
  rollout.writer.emit("session_started", head, {
    ...originOf(rollout, meta, asName(payload.id)),
    time: asName(payload.timestamp) ?? meta.time,
    turn_id: undefined,
  });
}

function sessionStarted(
  { session, title, cwd }: Rollout,
  payload: Payload,
  time: string | undefined,
): SessionStartedPayload {
  return present({
    session_id: session.id,
    created_at: isoTime(payload.timestamp) ?? isoTime(time) ?? "",
    cwd: asName(payload.cwd) ?? cwd ?? "",
    app: present({ name: session.agent, version: asName(payload.cli_version) }),
    title,
    git: recordedGit(payload),
    environment: environment(payload),
    parent: parentOf(payload),
    unanswered_call: UNANSWERED,
  });
}

function recordedGit(payload: Payload): GitInfo | undefined {
  const { commit_hash: commit, branch, repository_url: remote } = asObject(payload.git);
  return gitInfo({ branch, commit, remote });
}

const ENVIRONMENT = ["originator", "source", "model_provider", "history_mode"] as const;

function environment(payload: Payload): Record<string, unknown> | undefined {
  const fields = ENVIRONMENT.filter((name) => payload[name] !== undefined);
  if (fields.length === 0) return undefined;
  return Object.fromEntries(fields.map((name) => [name, payload[name]]));
}

function parentOf(payload: Payload): ParentInfo | undefined {
  const spawner = spawnedBy(payload);
  if (spawner !== undefined) return { session_id: spawner, reason: "subagent" };
  const base = asName(asObject(payload.history_base).thread_id);
  const forked = asName(payload.forked_from_id) ?? base;
  return forked === undefined ? undefined : { session_id: forked, reason: "fork" };
}

/**
 * Returns the title that the user gave a thread. Without a title, returns a fork's first own
 * prompt, and undefined for other threads. In Codex 0.169, the title is `name`, else `title`, of
 * the table `threads`.
 *
 * @param is_fork True if the first record that is read belongs to the thread that was forked.
 */
export async function titleOf(
  { id, path, named, thread_name }: CodexSession,
  is_fork: boolean,
): Promise<string | undefined> {
  const home = named ? undefined : codexHome(path);
  const title = home === undefined ? thread_name : readThreadNames(home).get(id);
  if (title !== undefined || !is_fork) return title;
  for await (const record of headRecords(path)) {
    const prompt = isPrompt(record) ? shownPrompt(contentTexts(record.payload.content)) : "";
    if (prompt !== "") return excerpt(prompt);
  }
  return undefined;
}
