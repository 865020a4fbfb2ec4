/**
 * A session's conversation and transcript from its log.
 *
 * @module
 */
import type { LogEvent } from "../event/envelope.ts";
import type { EventKind, WorkspaceSnapshotPayload } from "../event/payload.ts";
import { present } from "../event/present.ts";
import type { Diagnostic, Report } from "../log/diagnostic.ts";
import { eventBatches, readEvents } from "../log/read_events.ts";
import {
  type Conversation,
  conversation,
  type ConversationOptions,
} from "../projection/conversation/conversation.ts";
import { type Finding, foldBatches, ProjectionStream } from "../projection/projection.ts";
import { transcript, type TranscriptOptions } from "../projection/transcript/transcript.ts";
import type { TranscriptItem } from "../projection/transcript/item.ts";
import { isBranched } from "../projection/branch_path.ts";
import { BRANCH_KINDS, readMainPath } from "./log_branches.ts";
import { findResumePoint } from "./resume_point.ts";

/** Options of `loadConversation` and `readTranscript`: a receiver of diagnostics, and a signal. */
export interface LoadOptions {
  /** Receives the diagnostics of the part that is read. @default {nothing} */
  report?: Report | undefined;
  /** Cancels the reading of the log. */
  signal?: AbortSignal | undefined;
}

function readOptions({ report, signal }: LoadOptions): LoadOptions {
  return present({ report, signal });
}

/**
 * Reads the conversation of a log, which is sent to the model. Reads from the log's end back to the
 * current compaction. So time and memory do not depend on the log's size.
 *
 * @param path The log.
 * @param options What to include, and who gets the diagnostics.
 * @returns Messages, findings, and the current compaction.
 * @throws {SessionError} `not-found`, `permission`, `io`
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { loadConversation } from "@reprise/reprise/pipeline";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const path = join(root, "log.jsonl");
 * await writeFile(path, '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\n');
 * const { messages } = await loadConversation(path);
 * assert.deepEqual(messages, [{ role: "user", content: "hi" }]);
 * await rm(root, { recursive: true });
 * ```
 */
export async function loadConversation(
  path: string,
  options: LoadOptions & Omit<ConversationOptions, "partial"> = {},
): Promise<Conversation> {
  const { from, to, ...head } = await findResumePoint(path);
  const projection = conversation({ ...options, ...head, partial: from > 0 });
  const kinds = projection.needs;
  return await foldBatches(
    projection,
    readEvents(path, { ...readOptions(options), kinds, from, to }),
  );
}

/**
 * Reads the transcript of a log, item by item. In a log with branches, reads only the branch of the
 * last event.
 *
 * @param path The log.
 * @param options What to show, and who gets the diagnostics.
 * @returns What a person saw, in order.
 * @throws {SessionError} From the stream: `not-found`, `permission`, `io`
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { readTranscript } from "@reprise/reprise/pipeline";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const path = join(root, "log.jsonl");
 * await writeFile(path, '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\n');
 * const types = [];
 * for await (const item of readTranscript(path)) types.push(item.type);
 * assert.deepEqual(types, ["message"]);
 * await rm(root, { recursive: true });
 * ```
 */
export function readTranscript(
  path: string,
  options: LoadOptions & TranscriptOptions = {},
): ReadableStream<TranscriptItem> & AsyncIterable<TranscriptItem> {
  const projection = transcript(options);
  const events = readMainPath(path, { ...readOptions(options), kinds: projection.needs });
  return ReadableStream.from(events).pipeThrough(new ProjectionStream(projection));
}

export interface LoadedViews extends Conversation {
  transcript: TranscriptItem[];
  workspace?: WorkspaceSnapshotPayload;
}

const SNAPSHOTS: ReadonlySet<EventKind> = new Set(["workspace_snapshot"]);

export async function lastSnapshot(
  batches: AsyncIterable<readonly LogEvent[]>,
): Promise<WorkspaceSnapshotPayload | undefined> {
  let last: WorkspaceSnapshotPayload | undefined;
  for await (const events of batches) last = snapshotAmong(events) ?? last;
  return last;
}

/** Reads the last snapshot of the work tree. Snapshots on abandoned branches do not count. */
export function readSnapshot(path: string): Promise<WorkspaceSnapshotPayload | undefined> {
  return lastSnapshot(readMainPath(path, { kinds: SNAPSHOTS }));
}

function snapshotAmong(events: readonly LogEvent[]): WorkspaceSnapshotPayload | undefined {
  const last = events.findLast((one) => one.form === "known" && one.kind === "workspace_snapshot");
  return last?.payload as WorkspaceSnapshotPayload | undefined;
}

export async function loadFindings(
  path: string,
  options: LoadOptions & Omit<ConversationOptions, "partial">,
): Promise<Omit<LoadedViews, "findings"> & { findings: (Finding | Diagnostic)[] }> {
  const damage: Diagnostic[] = [];
  const report: Report = (diagnostic) => {
    damage.push(diagnostic);
    options.report?.(diagnostic);
  };
  const views = await loadViews(path, { ...options, report });
  return { ...views, findings: [...views.findings, ...damage] };
}

/** Reads the whole log once for transcript and conversation. A log with branches is read twice. */
export async function loadViews(
  path: string,
  options: LoadOptions & Omit<ConversationOptions, "partial"> = {},
): Promise<LoadedViews> {
  const shown = transcript();
  const sent = conversation(options);
  const kinds = new Set([...shown.needs, ...sent.needs, ...BRANCH_KINDS, ...SNAPSHOTS]);
  const views = { seen: shown.initial(), said: sent.initial() };
  let workspace: WorkspaceSnapshotPayload | undefined;
  const fold = (events: readonly LogEvent[]): void => {
    workspace = snapshotAmong(events) ?? workspace;
    for (const event of events) {
      views.seen = shown.apply(views.seen, event);
      views.said = sent.apply(views.said, event);
    }
  };
  let is_branched = false;
  // Few logs have branches. The events that a branch leaves out are known once it is read.
  for await (const events of eventBatches(path, { ...readOptions(options), kinds })) {
    is_branched ||= events.some(isBranched);
    if (!is_branched) fold(events);
  }
  if (is_branched) {
    Object.assign(views, { seen: shown.initial(), said: sent.initial() });
    workspace = undefined;
    // Its findings were reported.
    const again = { ...readOptions({ ...options, report: undefined }), kinds };
    for await (const events of readMainPath(path, again)) fold(events);
  }
  const { seen, said } = views;
  return present({ transcript: shown.result(seen), ...sent.result(said), workspace });
}
