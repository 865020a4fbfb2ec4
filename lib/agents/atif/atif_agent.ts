/**
 * Reads trajectories of the Agent Trajectory Interchange Format, ATIF 1.0 to 1.8: one JSON document.
 * Sources: the docs "Agent Trajectory Format" of the Harbor framework, and its RFC 0001.
 *
 * A step has no id of its own and the conversation no compaction: all steps are sent. Where a
 * document is damaged, nothing of it is read.
 */
import { basename } from "node:path";
import { formatReader } from "../../reading/format_reader.ts";
import { asList, asName, asObject, present } from "../../reading/json_value.ts";
import { parseJsonPrefix } from "../../reading/records/head_records.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import type { FormatReading, SessionFormat } from "../../reading/session_format.ts";
import { documentSource } from "../../reading/sources/document_source.ts";
import type { Agent } from "../../source/agent.ts";
import { emitStep } from "./step_events.ts";

const VERSION = /^ATIF-v1\.\d+$/;

/** Splits a document: its own fields are the first record, and each step is one. */
function recordsOf(document: readonly SourceRecord[]): SourceRecord[] {
  return document.flatMap((record) => {
    const { steps, ...trajectory } = record.value;
    const items = asList(steps).map((step) => ({ step: asObject(step) }));
    return [{ trajectory }, ...items].map((value, part) => ({ ...record, value, part }));
  });
}

export const atifFormat: SessionFormat<null> = {
  source: ({ path }) => documentSource(path, recordsOf),
  begin: emitHead,
  emit(record, _state, { writer }): void {
    const { step, trajectory } = record.value;
    if (step !== undefined) {
      const { timestamp, step_id } = asObject(step);
      const id = `step-${step_id ?? record.part}`;
      emitStep(asObject(step), writer, present({ id, time: asName(timestamp), record }));
      return;
    }
    const { schema_version, agent, extra, notes, final_metrics } = asObject(trajectory);
    const data = present({ schema_version, agent, extra, notes, final_metrics });
    writer.emit("extension", { agent: "atif", type: "trajectory", data }, { record });
  },
  standsAlone: ({ value }) => asObject(value.step).source === "user",
  saveState: () => null,
  restoreState: () => null,
};

function emitHead({ session, writer }: FormatReading, first: SourceRecord | undefined): null {
  const { agent, extra } = asObject(first?.value.trajectory);
  const { name, version } = asObject(agent);
  const app = present({ name: asName(name) ?? "", version: asName(version) });
  const started = {
    session_id: session.id,
    created_at: "",
    cwd: session.cwd ?? "",
    app: app.name === "" ? undefined : app,
    title: asName(asObject(extra).title),
  };
  writer.emit("session_started", present(started), present({ record: first }));
  return null;
}

const decoder = new TextDecoder();

export const atifAgent: Agent = {
  name: "atif",
  recognize: (_path, head) => {
    const { schema_version } = asObject(parseJsonPrefix(decoder.decode(head)));
    return VERSION.test(String(schema_version));
  },
  sessionsIn: (path) => Promise.resolve([{ agent: "atif", id: basename(path, ".json"), path }]),
  open: formatReader(atifFormat),
};
