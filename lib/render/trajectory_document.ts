/**
 * A trajectory as one JSON document of ATIF 1.8.
 *
 * @module
 */
import { present } from "../event/present.ts";
import {
  addMetrics,
  type TrajectoryMetrics,
  type TrajectoryStep,
} from "../projection/trajectory_step.ts";
import { toJsonLine } from "./json_lines.ts";
import type { DocumentHeader } from "./session_document.ts";

/** The document, part by part. */
export interface TrajectoryDocument {
  begin(header: DocumentHeader, agent_version?: string): string;
  step(step: TrajectoryStep): string;
  /** @throws {RangeError} When there was no step: the format asks for one. */
  end(): string;
}

/** The format's version, as the document names it. */
export const ATIF_VERSION = "ATIF-v1.8";

/** Begins a document that has no step yet. */
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
        extra: { generator, redacted, ...(summary.title === "" ? {} : { title: summary.title }) },
      };
      return `${toJsonLine(head).slice(0, -2)},"steps":[`;
    },
    step(step): string {
      total = addMetrics(total, step.metrics ?? {});
      return `${steps++ === 0 ? "" : ","}\n${toJsonLine({ step_id: steps, ...step }).trimEnd()}`;
    },
    end(): string {
      if (steps === 0) throw new RangeError("Cannot end trajectory: it has no step");
      return `\n],"final_metrics":${JSON.stringify(finalMetrics(total, steps))}}\n`;
    },
  };
}

function finalMetrics(total: TrajectoryMetrics, steps: number): Record<string, number> {
  const named: Record<string, number> = {};
  for (const [name, value] of Object.entries(total)) named[`total_${name}`] = value;
  return { ...named, total_steps: steps };
}
