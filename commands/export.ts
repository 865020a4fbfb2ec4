/** `reprise export` */
import { extname } from "node:path";
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import type { Summary } from "../lib/projection/summary_row.ts";
import type { Redactor } from "../lib/redaction/redactor.ts";
import type { ToolDetail } from "../lib/render/block/block.ts";
import type { DocumentHeader } from "../lib/render/session_document.ts";
import { readConfig } from "../lib/workspace/config_file.ts";
import type { Context } from "./_context.ts";
import { countDiagnostics } from "./_diagnostics.ts";
import {
  EXPORT_FORMATS,
  exportDocument,
  type ExportFormat,
} from "../lib/export/export_document.ts";
import { exportSummary } from "./export/export_summary.ts";
import { type ExportOutput, openExport } from "./export/output.ts";
import { openPagesExport } from "./export/pages_output.ts";
import { exportReader } from "./export/read_export.ts";
import { FindingLog, redacted, redactedSummary, surveyed } from "./export/redaction.ts";
import { UsageError } from "./_failure.ts";
import { untilInterrupted } from "./_interrupt.ts";
import { say } from "./_message.ts";
import { withProgress } from "./_progress.ts";
import type { SessionHandle } from "../lib/library/session_handle.ts";
import type { SessionThread } from "../lib/source/session_thread.ts";
import { openWhole } from "./_session.ts";
import { contextStore } from "./_store.ts";
import { tellOthers } from "./_threads.ts";

/** How to export. */
export interface ExportFlags {
  format?: ExportFormat;
  out?: string;
  force?: true;
  redact?: boolean;
  tools?: ToolDetail;
  thread?: string;
  single?: true;
}

const TOOL_DETAILS = ["full", "brief", "none"] as const satisfies readonly ToolDetail[];

const EXTENSIONS: Readonly<Record<string, ExportFormat>> = {
  ".md": "md",
  ".markdown": "md",
  ".html": "html",
  ".htm": "html",
  ".txt": "text",
  ".json": "json",
  ".jsonl": "jsonl",
};

/** Writes a session as a document. */
export function exportCommand(context: Context): Command {
  return new Command("export")
    .summary("write a session as a document or an exact copy")
    .description(
      "Write a session as Markdown, HTML, text, an ATIF trajectory, JSON or a log. The first " +
        "four are for sharing, so secrets are replaced; json and jsonl are exact copies.",
    )
    .argument("<ref>", "which session, or the path of a log")
    .addOption(
      new Option("--format <form>", "the format (default: from the name of --out, else md)")
        .choices(EXPORT_FORMATS),
    )
    .option("--out <file>", "the file to write (default: stdout)")
    .option("--force", "replace the file if it exists")
    .option("--redact", "replace secrets in every format")
    .option("--no-redact", "do not replace secrets")
    .addOption(
      new Option("--tools <detail>", "how much of each call md, html and text show (default: full)")
        .choices(TOOL_DETAILS),
    )
    .option("--thread <id>", "another thread, such as a branch or a subagent; same as REF~ID")
    .option("--single", "one HTML file, also above 5 MB (default: a folder of pages)")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise export 3f2a --out session.html\n" +
        "  reprise export claude:8d1f --format md --tools brief | less\n" +
        "  reprise export 3f2a --format jsonl --redact --out shared.jsonl",
    )
    .action((ref, flags) => exportSession(context, ref, flags)) as unknown as Command;
}

/** Writes a session to a file or to stdout. */
export async function exportSession(
  context: Context,
  ref: string,
  flags: ExportFlags,
): Promise<void> {
  const format = flags.format ?? formatByName(flags.out);
  if (flags.tools !== undefined && !showsCalls(format)) {
    throw new UsageError(`--tools is for md, html and text: ${format} contains every call whole`);
  }
  if (flags.single && format !== "html") {
    throw new UsageError("--single is for html: every other format is one file");
  }
  const source = await openWhole(context, ref);
  const redact = flags.redact ?? (isForSharing(format) && sharesRedacted(context));
  if (format === "jsonl" && !redact && source.log !== undefined) {
    return await copyLog(context, source, flags);
  }
  await writeDocument(context, source, { ...flags, format, redact });
}

/** Formats that are made to be shared: secrets are looked for in them. */
function isForSharing(format: ExportFormat): boolean {
  return format !== "json" && format !== "jsonl";
}

/** Formats that people read: how much they show of calls can be chosen. */
function showsCalls(format: ExportFormat): boolean {
  return format === "md" || format === "html" || format === "text";
}

function formatByName(out = ""): ExportFormat {
  const extension = extname(out).toLowerCase();
  if (out === "" || extension === "") return "md";
  const format = EXTENSIONS[extension];
  if (format !== undefined) return format;
  const known = Object.keys(EXTENSIONS).join(", ");
  throw new UsageError(`--format is needed: "${extension}" is none of ${known}`);
}

function sharesRedacted(context: Context): boolean {
  return readConfig(contextStore(context).root)["redact.on_export"];
}

async function writeDocument(
  context: Context,
  source: SessionHandle,
  flags: ExportFlags & { format: ExportFormat; redact: boolean },
): Promise<void> {
  const { format, redact, out, tools } = flags;
  const diagnostics = countDiagnostics();
  const findings = new FindingLog();
  const summary = await exportSummary(source, format);
  const all = format === "html";
  const read = await exportReader(source, {
    all,
    ...(flags.thread === undefined ? {} : { thread: flags.thread }),
  });
  const redactor = redact
    ? await withProgress(
      context,
      "Looking for secrets",
      // What is a secret may be told where the form does not look: every kind is read.
      (show) => surveyed(read(show), summary, findings),
    )
    : undefined;
  const written = await writeOutput(context, flags, async (output, signal) => {
    const document = await exportDocument(format, {
      ...(tools === undefined ? {} : { tools }),
      ...(output.page === undefined ? {} : { onPage: output.page }),
    });
    output.write(document.begin(headerOf(context, summary, redactor)));
    await withProgress(context, "Writing", async (show) => {
      // On a terminal the document itself is seen.
      const shown = out === undefined && context.stdout.terminal ? () => {} : show;
      for await (const { thread, events } of read(shown, document.needs, diagnostics.report)) {
        signal?.throwIfAborted();
        if (thread !== undefined) output.write(document.thread?.(shared(thread, redactor)) ?? "");
        output.write(document.take(redactor === undefined ? events : redacted(events, redactor)));
      }
    });
    output.write(document.end());
  });
  await findings.tell(context, source.ref);
  await diagnostics.tell(context, source.ref);
  if (written !== undefined) await say(context, `Wrote ${written}`);
  if (!all && flags.thread === undefined) await tellOthers(context, source, "export");
}

/** A thread as a document names it. */
function shared(thread: SessionThread, redactor: Redactor | undefined): SessionThread {
  return redactor === undefined ? thread : redactor.value(thread, "thread") as SessionThread;
}

type WriteAll = (output: ExportOutput, signal?: AbortSignal) => Promise<void>;

/** Writes all of it, or leaves no file: ^C takes away what was begun. Returns what was written. */
async function writeOutput(
  context: Context,
  { out, force, single, format }: ExportFlags,
  write: WriteAll,
): Promise<string | undefined> {
  async function writeWith(signal?: AbortSignal): Promise<string | undefined> {
    const output = out !== undefined && format === "html" && !single
      ? openPagesExport(context, out, force ?? false)
      : openExport(context, out, force ?? false);
    try {
      await write(output, signal);
      signal?.throwIfAborted();
      output.commit();
      return output.written;
    } finally {
      output.discard();
    }
  }
  // Stdout leaves nothing behind, and one that nobody reads would keep a signal from being heard.
  return out === undefined ? await writeWith() : await untilInterrupted(writeWith);
}

function headerOf(
  { now, version }: Context,
  summary: Summary,
  redactor: Redactor | undefined,
): DocumentHeader {
  return {
    summary: redactor === undefined ? summary : redactedSummary(summary, redactor),
    exported_at: now().toISOString(),
    generator: `reprise ${version}`,
    redacted: redactor !== undefined,
  };
}

/** The bytes of a log as they are. */
async function copyLog(
  context: Context,
  source: SessionHandle,
  flags: ExportFlags,
): Promise<void> {
  const { out } = flags;
  if (out === undefined && context.stdout.terminal) {
    throw new UsageError(
      "an exact copy cannot be written to a terminal: give --out FILE, or a pipe",
    );
  }
  const written = await writeOutput(context, flags, async (output, signal) => {
    for await (const bytes of source.bytes()) {
      signal?.throwIfAborted();
      output.writeBytes(bytes);
    }
  });
  if (written !== undefined) await say(context, `Wrote ${written}`);
}
