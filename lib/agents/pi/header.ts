/** Emits the first events of a pi session: its time, directory, parent and title. */
import { basename, dirname, join } from "node:path";
import type { SessionStartedPayload } from "../../core/event/payload.ts";
import { isFileThere } from "../../core/file/presence.ts";
import { EventWriter } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { asName, asText, present } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { TreePath } from "../engine/tree/path_format.ts";
import { readEach, readRow } from "../engine/tree/read_steps.ts";
import { hasRow, nodesOf } from "../engine/tree/steps.ts";
import type { TreeRecord } from "../engine/tree/tree_format.ts";
import type { AgentSession } from "../contract/agent.ts";
import { emitEntry, type EntryEmission, startEmission } from "./entry_events.ts";
import { allOfType, type PiHead } from "./entry_index.ts";
import { idInName, timeInName } from "./locate.ts";
import { type EntryReader, FIRST_ENTRIES, firstRealPrompt } from "./prompt.ts";

/** The result that pi sends for unanswered calls (0.73.1, providers/transform-messages.ts). */
export const UNANSWERED = "No result provided";

export async function emitHeader(
  session: AgentSession,
  live: TreePath<PiHead>,
  emission: EntryEmission,
): Promise<void> {
  const { header } = live.index.head;
  const started = toStarted(session, header);
  if (emission.writer.wants("session_started")) {
    if (started.parent !== undefined && hasParent(session, header)) {
      started.parent.seq = await copiedSeq(session, live, started);
    }
    const first = { ...live, steps: live.steps.subarray(0, FIRST_ENTRIES) };
    const nodes = nodesOf(first.index, first.steps);
    const title = firstRealPrompt(nodes, await entriesOf(session, first));
    if (title !== undefined) started.title = title;
  }
  const origin = { id: asName(header?.value.id), time: started.created_at, record: header };
  emission.writer.emit("session_started", started, origin);
  const title = givenTitle(live.index.head);
  if (title !== undefined) emission.writer.emit("session_renamed", { title });
  if (!emission.own_titles) emitTitleElsewhere(session, live, emission);
}

/** Returns the title from oh-my-pi's header, or from the title line before the header. */
export function givenTitle({ title, header }: PiHead): string | undefined {
  return (title ?? asText(header?.value.title))?.trim() || undefined;
}

/** Returns the first event's payload. The file's name and `session` fill gaps of the header. */
export function toStarted(
  session: AgentSession,
  header: SourceRecord | undefined,
): SessionStartedPayload {
  const { id, timestamp, cwd, parentSession, branchedFrom, provider, modelId, thinkingLevel } =
    header?.value ?? {};
  const parent = asName(parentSession) ?? asName(branchedFrom);
  const environment = present({
    provider: asText(provider),
    model: asText(modelId),
    thinking_level: asText(thinkingLevel),
  });
  return present({
    session_id: asName(id) ?? session.id,
    created_at: isoTime(timestamp) ?? timeInName(session.path) ?? "",
    cwd: asText(cwd) ?? session.cwd ?? "",
    app: { name: session.agent },
    unanswered_call: UNANSWERED,
    environment: Object.keys(environment).length === 0 ? undefined : environment,
    parent: parent === undefined ? undefined : { session_id: idInName(parent), reason: "fork" },
  });
}

/**
 * True if the fork's parent exists. Otherwise, the copied entries are emitted and counted as part
 * of this session.
 */
function hasParent({ path }: AgentSession, header: SourceRecord | undefined): boolean {
  const parent = asName(header?.value.parentSession) ?? asName(header?.value.branchedFrom);
  if (parent === undefined) return false;
  return [parent, join(dirname(path), basename(parent.replaceAll("\\", "/")))].some(isFileThere);
}

/** Returns the seq of a fork's last copied event. Copies are older than the fork's header. */
async function copiedSeq(
  session: AgentSession,
  { index, steps }: TreePath<PiHead>,
  { created_at }: SessionStartedPayload,
): Promise<number> {
  const writer = new EventWriter(session, new Set());
  const copies = startEmission(writer);
  writer.skip();
  for await (const { node, record } of readEach({}, session.path, index, steps)) {
    const time = isoTime(record.value.timestamp);
    if (time !== undefined && time > created_at) return writer.seq;
    emitEntry(copies, node, record);
  }
  return writer.seq;
}

async function entriesOf(
  { path }: AgentSession,
  { index, steps }: TreePath<PiHead>,
): Promise<EntryReader> {
  const records = new Map<number, TreeRecord>();
  for await (const { node, record } of readEach({}, path, index, steps)) {
    records.set(node.row, record);
  }
  return { record: ({ row }) => records.get(row), role: () => undefined };
}

/** Emits the latest title if it is on another branch. */
function emitTitleElsewhere(
  { path }: AgentSession,
  { index }: TreePath<PiHead>,
  { writer }: EntryEmission,
): void {
  const row = allOfType(index, "session_info").at(-1);
  if (row === undefined) return;
  const record = readRow({}, path, index, row);
  const title = (asText(record?.value.name) ?? "").trim();
  // Without its id: a compaction that names it keeps nothing, as it is not on the branch.
  writer.emit("session_renamed", { title }, { record });
}

export function ownsTitle({ index, steps }: TreePath<PiHead>): boolean {
  const last = allOfType(index, "session_info").at(-1);
  return last === undefined || hasRow(steps, last);
}
