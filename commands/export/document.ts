/**
 * The forms in which a session is exported, each fed with events.
 */
import type { LogEvent } from "../../lib/event/envelope.ts";
import type { EventKind } from "../../lib/event/payload.ts";
import { SessionError } from "../../lib/event/session_error.ts";
import { trajectory } from "../../lib/projection/trajectory.ts";
import type { TrajectoryStep } from "../../lib/projection/trajectory_step.ts";
import { transcript } from "../../lib/projection/transcript/transcript.ts";
import { encodeReadLine } from "../../lib/session/session_line.ts";
import type {
  DocumentHeader,
  SessionDocument,
  ToolDetail,
} from "../../lib/render/session_document.ts";

/** Names of the forms. */
export const EXPORT_FORMATS = ["md", "html", "text", "atif", "json", "jsonl"] as const;

/** Name of a form. */
export type ExportFormat = typeof EXPORT_FORMATS[number];

/** Forms that are made to be shared: secrets are looked for in them. */
export function isForSharing(format: ExportFormat): boolean {
  return format !== "json" && format !== "jsonl";
}

/** Forms that people read: how much they show of calls can be chosen. */
export function showsCalls(format: ExportFormat): boolean {
  return format === "md" || format === "html" || format === "text";
}

/** A form that is written part by part. */
export interface ExportDocument {
  /** Kinds that it needs; undefined for all. */
  readonly needs: ReadonlySet<EventKind> | undefined;
  begin(header: DocumentHeader): string;
  take(events: readonly LogEvent[]): string;
  /** @throws {SessionError} `unsupported-source` when the form cannot hold such a session. */
  end(): string;
}

/** Begins a document of a form. */
export async function exportDocument(
  format: ExportFormat,
  tools: ToolDetail,
): Promise<ExportDocument> {
  switch (format) {
    case "md": {
      const { markdownDocument } = await import("../../lib/render/markdown_document.ts");
      return ofItems(markdownDocument({ tools }));
    }
    case "html": {
      const { htmlDocument } = await import("../../lib/render/html_document.ts");
      // As Markdown and text say it: whoever reads it may live anywhere.
      const { utcMinute } = await import("../../lib/render/time_label.ts");
      return ofItems(htmlDocument({ tools, format_time: utcMinute }));
    }
    case "text": {
      const { textDocument } = await import("../../lib/render/text_document.ts");
      return ofItems(textDocument({ tools }));
    }
    case "atif":
      return await ofSteps();
    case "json":
      return await wholeDocument();
    case "jsonl":
      return logDocument();
  }
}

function ofItems(document: SessionDocument): ExportDocument {
  const projection = transcript();
  let state = projection.initial();
  return {
    needs: projection.needs,
    begin: (header) => document.begin(header),
    take(events): string {
      for (const event of events) state = projection.apply(state, event);
      return projection.take(state).map((item) => document.item(item)).join("");
    },
    end: () =>
      projection.result(state).map((item) => document.item(item)).join("") + document.end(),
  };
}

async function ofSteps(): Promise<ExportDocument> {
  const { trajectoryDocument } = await import("../../lib/render/trajectory_document.ts");
  const projection = trajectory();
  let state = projection.initial();
  const document = trajectoryDocument();
  let begin: ((version?: string) => string) | undefined;
  let version: string | undefined;
  /** Steps; before the first the head, which names the agent's version as the session tells it. */
  function written(steps: readonly TrajectoryStep[]): string {
    if (steps.length === 0) return "";
    const head = begin?.(version) ?? "";
    begin = undefined;
    return head + steps.map((step) => document.step(step)).join("");
  }
  return {
    needs: new Set([...projection.needs, "session_started" as const]),
    begin(header): string {
      begin = (version) => document.begin(header, version);
      return "";
    },
    take(events): string {
      for (const event of events) {
        version ??= agentVersion(event);
        state = projection.apply(state, event);
      }
      return written(projection.take(state));
    },
    end: () => written(projection.result(state)) + endOf(document),
  };
}

function agentVersion(event: LogEvent): string | undefined {
  if (event.form !== "known" || event.kind !== "session_started") return undefined;
  const { app, imported_from } = event.payload;
  return app?.version ?? imported_from?.agent_version;
}

function endOf(document: { end(): string }): string {
  try {
    return document.end();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = "Cannot export as atif: nothing is said in the session, and the format asks " +
      "for a step; use another --format";
    throw new SessionError("unsupported-source", message, {}, error);
  }
}

/** The summary and all events in one document. */
async function wholeDocument(): Promise<ExportDocument> {
  const { toJsonLine } = await import("../../lib/render/json_lines.ts");
  let count = 0;
  return {
    needs: undefined,
    begin: ({ summary }) => `{"summary":${toJsonLine(summary).trimEnd()},"events":[`,
    take: (events) =>
      events.map((event) => `${count++ === 0 ? "" : ","}\n${toJsonLine(bare(event)).trimEnd()}`)
        .join(""),
    end: () => "\n]}\n",
  };
}

function bare({ form: _form, position: _position, ...fields }: LogEvent): object {
  return fields;
}

/** Events as lines of a log of ours, with checksums; what was changed stays marked so. */
function logDocument(): ExportDocument {
  const decoder = new TextDecoder();
  return {
    needs: undefined,
    begin: () => "",
    take: (events) =>
      events.filter((event) => event.form !== "unparsed")
        .map((event) => decoder.decode(encodeReadLine(event))).join(""),
    end: () => "",
  };
}
