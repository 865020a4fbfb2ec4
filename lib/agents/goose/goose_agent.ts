/**
 * The reader of goose's sessions.
 *
 * It follows the source code of goose (aaif-goose/goose at 017176d, schema 17, and block/goose
 * before). No database that goose itself wrote was available.
 */
import { SUMMARY_KINDS } from "../../core/event/policy.ts";
import { UNSETTLED_OUTPUT } from "../../core/projection/conversation/paired_messages.ts";
import type { EventWriter } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import { formatReader } from "../engine/format_reader.ts";
import { asName, present } from "../engine/json.ts";
import { readFormat } from "../engine/linear/read_format.ts";
import type { SessionFormat } from "../engine/session_format.ts";
import { describedThread } from "../engine/threads.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../core/projection/session_thread.ts";
import { recognizeStore, sessionsIn } from "./find_sessions.ts";
import { entryOf, type GooseInfo, type GooseMessage, type GooseUsage } from "./goose_entry.ts";
import { gooseSource, namedSubagent, subagentsOf } from "./goose_source.ts";
import {
  type GooseDialogue,
  promptOf,
  startDialogue,
  writeHidden,
  writeMessage,
} from "./message_events.ts";
import type { WaitingCall } from "./tool_events.ts";

interface SavedDialogue {
  calls: [string, WaitingCall][];
  turn_id?: string;
}

/**
 * The format of goose's sessions, in its database and in its older files.
 *
 * A compaction hides messages from the model, and adds messages that the user does not see
 * (context_mgmt/mod.rs, `compact_messages`). So each row has an audience: the user gets rows with
 * `userVisible`, the model rows with `agentVisible`. The event of the compaction itself replaces no
 * messages. It comes after the last row that only the user or only the model gets.
 */
export const gooseFormat: SessionFormat<GooseDialogue, SavedDialogue> = {
  source: gooseSource,
  holderOf: namedSubagent,
  begin({ session, writer }, first): GooseDialogue {
    const { info } = first === undefined ? {} : entryOf(first);
    if (info !== undefined) writeStart(writer, session, info);
    return startDialogue();
  },
  emit(record, dialogue, { writer }): string | void {
    const { message, usage, side } = entryOf(record);
    if (usage !== undefined) writeUsage(writer, usage);
    if (message !== undefined) writeSeen(writer, dialogue, message);
    return side;
  },
  standsAlone(record): boolean {
    const { message } = entryOf(record);
    return message !== undefined && message.user && message.role === "user" &&
      !message.content.some(({ type }) => type === "toolResponse") &&
      promptOf(message) !== undefined;
  },
  startState: startDialogue,
  saveState: ({ calls, turn_id }) => present({ calls: [...calls], turn_id }),
  restoreState: ({ turn_id, calls }) => ({ turn_id, calls: new Map(calls) }),
};

function writeSeen(writer: EventWriter, dialogue: GooseDialogue, message: GooseMessage): void {
  const { id, created: time, record, agent, user, compaction } = message;
  if (!agent && !user) return writeHidden(writer, message);
  writer.audience = agent && user ? undefined : agent ? "model" : "user";
  writeMessage(writer, dialogue, message);
  writer.audience = undefined;
  if (compaction?.at !== message.at) return;
  const payload = present({
    status: "Compacted the conversation",
    status_only: true,
    summary: asName(compaction.summary),
  });
  writer.emit("compaction_applied", payload, { id, time, turn_id: dialogue.turn_id, record });
}

/** Matches goose's default names of sessions (goose-cli, session/builder.rs; goose-server). */
const DEFAULT_NAME = /^(?:CLI Session|ACP Session|New [Ss]ession(?: \d+)?)$/;

function writeStart(writer: EventWriter, { id }: AgentSession, info: GooseInfo): void {
  const { name, working_dir, created_at, archived_at, parent_id, type, mode } = info;
  writer.emit(
    "session_started",
    present({
      session_id: id,
      created_at: isoTime(created_at) ?? "",
      cwd: working_dir ?? "",
      app: { name: "goose" },
      unanswered_call: UNSETTLED_OUTPUT,
      title: name === undefined || DEFAULT_NAME.test(name) ? undefined : name,
      environment: mode === undefined ? undefined : { approval: mode },
      parent: parent_id === undefined
        ? undefined
        : present({ session_id: parent_id, reason: type === "sub_agent" ? "subagent" : type }),
    }),
    { id, time: created_at },
  );
  if (archived_at !== undefined) {
    writer.emit("session_archived", { archived: true }, { id, time: archived_at });
  }
}

/**
 * Emits the usage of a call, which goose stores without a link to a message. Every provider counts
 * the whole prompt as input (providers/formats/anthropic.rs, `get_usage`).
 */
function writeUsage(writer: EventWriter, usage: GooseUsage): void {
  const { id, created: time, model, provider, cost: cost_usd, ...taken } = usage;
  const { input: prompt, output, cache_read, cache_write } = taken;
  writer.emit(
    "assistant_message",
    present({
      content: "",
      message_id: `usage/${id}`,
      usage_of: id === "session" ? "session" as const : undefined,
      model,
      provider,
      usage: promptUsage({ prompt, output, cache_read, cache_write }),
      cost_usd,
    }),
    { id: `usage/${id}`, time },
  );
}

export const gooseAgent: Agent = {
  name: "goose",
  recognize: recognizeStore,
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  // Records of a database are counted by a query.
  open: formatReader(gooseFormat, { threads: threadsOf }),
};

async function threadsOf(session: AgentSession): Promise<SessionThread[]> {
  const threads: SessionThread[] = [
    await countedThread(session, { id: MAIN_THREAD, kind: "main" }),
  ];
  for (const agent of subagentsOf(session)) {
    const known = await countedThread(agent, {
      id: agent.id,
      kind: "subagent",
      parent: { thread: agent.parent },
    });
    threads.push(
      await describedThread(known, readFormat(gooseFormat, agent, { needs: SUMMARY_KINDS })),
    );
  }
  return threads;
}

async function countedThread(
  session: AgentSession,
  known: Omit<SessionThread, "records">,
): Promise<SessionThread> {
  let records = 0;
  let created: number | undefined;
  for await (const entries of gooseSource(session).read()) {
    const messages = entries.flatMap((record) => entryOf(record).message ?? []);
    records += messages.length;
    created = messages.at(-1)?.created ?? created;
  }
  return present({ ...known, records, updated_at: isoTime(created) });
}
