/**
 * Trajectories as JSON: an ATIF 1.8 document, or lines of the Session Trace Simple Format (STS).
 *
 * Source of STS, which the Hugging Face Hub displays: Hub documentation, "Session Traces Format"
 * (huggingface/hub-docs, docs/hub/session-traces-format.md, 2026-07).
 */
import { present } from "../../core/event/present.ts";
import {
  addMetrics,
  type TrajectoryMetrics,
  type TrajectoryStep,
} from "../../core/projection/trajectory_step.ts";
import { toJsonLine, toJsonText } from "./json_lines.ts";
import type { DocumentHeader } from "./session_document.ts";

interface TrajectoryDocument {
  begin(header: DocumentHeader, agent_version?: string): string;
  step(step: TrajectoryStep): string;
  /** @throws {RangeError} If there was no step, because the format needs at least one. */
  end(): string;
}

const ATIF_VERSION = "ATIF-v1.8";

export function trajectoryDocument(): TrajectoryDocument {
  let steps = 0;
  let total: TrajectoryMetrics = {};
  return {
    begin: ({ summary, generator, redacted }, agent_version) => {
      const [model_name] = summary.models ?? [];
      const agent = present({
        name: summary.agent,
        version: agent_version ?? "unknown",
        model_name,
      });
      const head = {
        schema_version: ATIF_VERSION,
        session_id: summary.session_id,
        agent,
        extra: present({ generator, redacted, title: summary.title || undefined }),
      };
      return `${toJsonText(head).slice(0, -1)},"steps":[`;
    },
    step(step): string {
      total = addMetrics(total, step.metrics ?? {});
      return `${steps++ === 0 ? "" : ","}\n${toJsonText({ step_id: steps, ...step })}`;
    },
    end(): string {
      if (steps === 0) {
        throw new RangeError(
          "Cannot export session in ATIF: the session has no messages, and the format needs one",
        );
      }
      return `\n],"final_metrics":${JSON.stringify(finalMetrics(total, steps))}}\n`;
    },
  };
}

function finalMetrics(total: TrajectoryMetrics, steps: number): Record<string, number> {
  const named: Record<string, number> = {};
  for (const [name, value] of Object.entries(total)) named[`total_${name}`] = value;
  return { ...named, total_steps: steps };
}

interface SessionTrace {
  begin(header: DocumentHeader): string;
  step(step: TrajectoryStep): string;
}

/** A call in a message. Its arguments are JSON text. */
interface TraceCall {
  id: string;
  function: { name: string; arguments: string };
}

export function sessionTrace(): SessionTrace {
  const used = new Map<string, number>();
  /** Makes a call id unique. Agents reuse ids, but the viewer finds a call by its id. */
  function onlyId(id: string): string {
    const count = (used.get(id) ?? 0) + 1;
    used.set(id, count);
    return count === 1 ? id : onlyId(`${id}~${count}`);
  }
  return {
    begin: ({ summary, generator, redacted }) =>
      toJsonLine({
        type: "session",
        harness: summary.agent,
        id: summary.session_id,
        name: summary.title || undefined,
        ...{ created_at: summary.created_at, generator, redacted },
      }),
    step(step): string {
      const ids = new Map<string, string>();
      const calls = (step.tool_calls ?? []).map(({ tool_call_id, function_name, ...call }) => {
        const id = onlyId(tool_call_id);
        ids.set(tool_call_id, id);
        return { id, function: { name: function_name, arguments: JSON.stringify(call.arguments) } };
      });
      const results = step.observation?.results ?? [];
      return messageLine(step, calls) + results.map(({ source_call_id, content }) => {
        const toolCallId = ids.get(source_call_id ?? "");
        return line(step, { role: "tool", toolCallId, content });
      }).join("");
    },
  };
}

function messageLine(step: TrajectoryStep, calls: readonly TraceCall[]): string {
  const { source, message, reasoning_content, model_name } = step;
  return line(step, {
    role: source === "agent" ? "assistant" : source,
    content: message,
    reasoningContent: reasoning_content,
    toolCalls: calls.length === 0 ? undefined : calls,
    model: model_name,
  });
}

function line({ timestamp, extra }: TrajectoryStep, message: Record<string, unknown>): string {
  const time = Date.parse(timestamp ?? "");
  return toJsonLine({
    type: "message",
    message: { ...message, timestamp: Number.isNaN(time) ? undefined : time },
    integrity: extra.integrity,
  });
}
