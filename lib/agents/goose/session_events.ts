/**
 * Writes the events around the messages of a session: its start, and the usage of its model calls.
 */
import { UNSETTLED_OUTPUT } from "../../projection/conversation/paired_messages.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { EventWriter } from "../../reading/events/event_writer.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { present } from "../../reading/json_value.ts";
import { promptUsage } from "../../reading/events/prompt_usage.ts";
import type { GooseInfo, GooseUsage } from "./goose_entry.ts";

/** What a session is called before a model names it (goose-cli, session/builder.rs; goose-server). */
const DEFAULT_NAME = /^(?:CLI Session|ACP Session|New [Ss]ession(?: \d+)?)$/;

/** Writes what a session begins with. */
export function writeStart(writer: EventWriter, { id }: AgentSession, info: GooseInfo): void {
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
 * Writes what a call took: goose keeps it apart from the messages, and does not tie them. Its input is
 * the whole prompt, of Anthropic's models too (providers/formats/anthropic.rs, `get_usage`).
 */
export function writeUsage(writer: EventWriter, usage: GooseUsage): void {
  const { id, created: time, model, provider, cost: cost_usd, ...taken } = usage;
  const { input: prompt, output, cache_read, cache_write } = taken;
  writer.emit(
    "assistant_message",
    present({
      content: "",
      message_id: `usage/${id}`,
      model,
      provider,
      usage: promptUsage({ prompt, output, cache_read, cache_write }),
      cost_usd,
    }),
    { id: `usage/${id}`, time },
  );
}
