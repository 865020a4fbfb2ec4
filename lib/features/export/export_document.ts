/** Writes a session's events as a document in one of several formats. */
import { checkArgument, oneOf } from "../../core/event/guard.ts";
import type { KnownEvent, LogEvent } from "../../core/event/envelope.ts";
import type { EventKind } from "../../core/event/payload.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { trajectory } from "../../core/projection/trajectory.ts";
import type { TrajectoryStep } from "../../core/projection/trajectory_step.ts";
import { encodeReadLine } from "../../core/store/session_line.ts";
import type { Block, ToolDetail } from "../../text/render/block/block.ts";
import type { DocumentHeader, SessionDocument } from "../../text/render/session_document.ts";
import type { SessionThread } from "../../core/projection/session_thread.ts";

/** The formats in which {@linkcode exportDocument} can write a session. */
export const EXPORT_FORMATS = [
  "md",
  "html",
  "text",
  "atif",
  "sts",
  "otlp",
  "json",
  "jsonl",
] as const;

/** Name of an export format. `json` is one document, `jsonl` the lines of a log. */
export type ExportFormat = typeof EXPORT_FORMATS[number];

/** Options for how a document shows calls, and how an HTML document is divided into pages. */
export interface ExportOptions {
  /** The detail with which the formats `md`, `html` and `text` show calls. @default {"full"} */
  tools?: "full" | "brief" | "none";
  /**
   * Takes the pages and search scripts of an HTML document above 5 MB. The document then returns
   * only empty texts.
   *
   * @default {one page of any length}
   */
  onPage?: (name: string, text: string) => void;
  /**
   * The address of a site's index, relative to the pages of an HTML document. With a site, all HTML
   * pages are given to `onPage`, also those of short documents.
   *
   * @default {no site}
   */
  site?: string;
}

/** A document that is written part by part, so that a session of any length fits in memory. */
export interface ExportDocument {
  /** The kinds of events that the document needs, or undefined for all kinds. */
  readonly needs: ReadonlySet<EventKind> | undefined;
  /** Returns the document's head. */
  begin(header: DocumentHeader): string;
  /** Returns the text for the next events. May be empty until further events come. */
  take(events: readonly LogEvent[]): string;
  /** Begins a thread other than the main one. Absent if the format holds only one thread. */
  thread?(thread: SessionThread): string;
  /**
   * Returns the rest of the document.
   *
   * @throws {SessionError} `unsupported-source` if the format cannot hold the session.
   */
  end(): string;
}

/**
 * Begins a document. The document redacts nothing: give it the events that a {@linkcode Redactor}
 * returns.
 *
 * @param format The format of the document.
 * @param options The calls to show.
 * @throws {SessionError} `invalid-argument` for an unknown format, with the names of all formats.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { memoryStore } from "@reprise/reprise";
 * import { exportDocument } from "@reprise/reprise/export";
 *
 * const store = memoryStore();
 * const session = store.create({ cwd: "/home/ada/src" });
 * await session.turn().user("Hello");
 * await session.finish();
 *
 * const document = await exportDocument("jsonl");
 * let log = "";
 * for await (const events of store.events(session.id)) log += document.take(events);
 * assert.equal((log + document.end()).trimEnd().split("\n").length, 4);
 * ```
 */
export async function exportDocument(
  format: ExportFormat,
  { tools = "full", onPage, site }: ExportOptions = {},
): Promise<ExportDocument> {
  checkArgument("export session", "format", oneOf(...EXPORT_FORMATS), format);
  switch (format) {
    case "md": {
      const { markdownDocument } = await import("../../text/render/markdown_document.ts");
      return await ofBlocks(markdownDocument(), tools);
    }
    case "html": {
      const { htmlDocument } = await import("../../text/render/html_document.ts");
      const { HtmlFolder } = await import("../../text/render/html_folder.ts");
      // Times are in UTC, as in Markdown and text, because readers may live anywhere.
      const { utcMinute } = await import("../../text/render/time_label.ts");
      const look = { tools, format_time: utcMinute };
      const document = onPage === undefined
        ? htmlDocument(look)
        : new HtmlFolder({ ...look, site }, onPage);
      return await ofBlocks(document, tools);
    }
    case "text": {
      const { textDocument } = await import("../../text/render/text_document.ts");
      return await ofBlocks(textDocument({ tools }), tools);
    }
    case "atif":
      return await trajectoryOf();
    case "sts":
      return await traceOf();
    case "otlp":
      return await spansOf();
    case "json":
      return await wholeDocument();
    case "jsonl":
      return logDocument();
  }
}

async function ofBlocks(document: SessionDocument, tools: ToolDetail): Promise<ExportDocument> {
  const { SessionBlocks } = await import("../../text/render/block/session_blocks.ts");
  const { estimatedCost } = await import("../../core/pricing/price_table.ts");
  const session = new SessionBlocks({ tools, estimate: estimatedCost });
  const written = (blocks: readonly Block[]): string =>
    blocks.map((block) => document.block(block)).join("");
  const form: ExportDocument = {
    needs: session.needs,
    begin: (header) => document.begin(header),
    take: (events) => written(session.take(events)),
    end: () => written(session.rest()) + document.end(),
  };
  if (document.thread === undefined) return form;
  return {
    ...form,
    thread: (next) => written(session.nextThread()) + (document.thread?.(next) ?? ""),
  };
}

/** A document of steps. Its head waits for the first step, when the agent's version is known. */
interface StepDocument {
  begin(header: DocumentHeader, agent_version?: string): string;
  step(step: TrajectoryStep): string;
  end(): string;
}

async function trajectoryOf(): Promise<ExportDocument> {
  const { trajectoryDocument } = await import("../../text/render/trajectory_document.ts");
  const document = trajectoryDocument();
  return ofSteps({ ...document, end: () => endOf(document) });
}

async function traceOf(): Promise<ExportDocument> {
  const { sessionTrace } = await import("../../text/render/trajectory_document.ts");
  return ofSteps({ ...sessionTrace(), end: () => "" });
}

async function spansOf(): Promise<ExportDocument> {
  const { otlpDocument } = await import("../../text/render/otlp_document.ts");
  const document = otlpDocument();
  return ofSteps(document, (event) => document.note(event));
}

/** Returns a document of steps. `note` gets each event before the steps that it completes. */
function ofSteps(document: StepDocument, note?: (event: KnownEvent) => void): ExportDocument {
  const projection = trajectory();
  let state = projection.initial();
  let begin: ((version?: string) => string) | undefined;
  let version: string | undefined;
  function head(): string {
    const text = begin?.(version) ?? "";
    begin = undefined;
    return text;
  }
  function written(steps: readonly TrajectoryStep[]): string {
    return steps.length === 0 ? "" : head() + steps.map((step) => document.step(step)).join("");
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
        if (event.form === "known") note?.(event);
        state = projection.apply(state, event);
      }
      return written(projection.take(state));
    },
    end(): string {
      const rest = written(projection.result(state));
      const end = document.end();
      return rest + head() + end;
    },
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
    const message = "Cannot export as atif: the session has no messages, and the format " +
      "needs at least one; use another --format";
    throw new SessionError("unsupported-source", message, {}, error);
  }
}

async function wholeDocument(): Promise<ExportDocument> {
  const { toJsonText } = await import("../../text/render/json_lines.ts");
  let count = 0;
  return {
    needs: undefined,
    begin: ({ summary }) => `{"summary":${toJsonText(summary)},"events":[`,
    take: (events) =>
      events.map((event) => `${count++ === 0 ? "" : ","}\n${toJsonText(bare(event))}`)
        .join(""),
    end: () => "\n]}\n",
  };
}

function bare({ form: _form, position: _position, ...fields }: LogEvent): object {
  return fields;
}

/** Makes a document of log lines. Damaged events keep a wrong checksum, so that readers notice. */
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
