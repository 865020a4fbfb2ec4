/** `reprise export` */
import { present } from "../lib/core/event/present.ts";
import type { ToolDetail } from "../lib/text/render/block/block.ts";
import type { SealTarget } from "../lib/text/seal/seal.ts";
import { readConfig } from "../lib/core/workspace/config_file.ts";
import { defineCommand, type Flags, type FlagsOf } from "./_command.ts";
import type { Context } from "./_context.ts";
import { countDiagnostics } from "./_diagnostics.ts";
import {
  EXPORT_FORMATS,
  exportDocument,
  type ExportFormat,
} from "../lib/features/export/export_document.ts";
import { describeTarget, ENCRYPT_FLAGS, formatByName, sealTarget } from "./export/export_form.ts";
import {
  documentParts,
  exportReader,
  exportSummary,
  FindingLog,
  headerOf,
  surveyed,
  surveyKinds,
} from "./export/read_export.ts";
import { choosesSessions, exportSite, SITE_FLAGS } from "./export/export_site.ts";
import {
  HeldPage,
  listPages,
  openPageTarget,
  publishPage,
  SHARE_FLAGS,
  unsharePages,
} from "./export/share_page.ts";
import { IDENTITY_FLAG } from "./_scope_flags.ts";
import { type OutputFlags, writeOutput } from "./export/write_output.ts";
import { UsageError } from "./_failure.ts";
import { say } from "./_message.ts";
import { withProgress } from "../lib/frontends/ui/progress.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { openWhole } from "./_session.ts";
import { contextStore } from "./_store.ts";
import { tellOthers } from "./_threads.ts";

const TOOL_DETAILS = ["full", "brief", "none"] as const satisfies readonly ToolDetail[];

const EXPORT_FLAGS = {
  "--format <form>": {
    help: "the format (default: from the file extension of --out, or else md)",
    choices: EXPORT_FORMATS,
  },
  "-o, --out <file>": "the file to write, or - for stdout (default: stdout)",
  "--force": "replace the file if it exists",
  "--redact": "replace secrets in every format, also in json and jsonl",
  "--no-redact": "do not replace secrets",
  "--tools <detail>": {
    help: "how much of each tool call to show in md, html and text",
    choices: TOOL_DETAILS,
  },
  "--thread <id>": "use this branch or subagent of the session (same as REF~ID)",
  "--single":
    "write one HTML file of any size (default: an export over 5 MB becomes a folder of pages)",
  ...IDENTITY_FLAG,
  ...ENCRYPT_FLAGS,
  ...SHARE_FLAGS,
  ...SITE_FLAGS,
} as const satisfies Flags;

type ExportFlags = FlagsOf<typeof EXPORT_FLAGS>;

export const exportCommand = defineCommand({
  description: "Write a session as Markdown, HTML, text, an Agent Trajectory Interchange Format " +
    "file (atif), a session trace of the Hugging Face Hub (sts), OpenTelemetry spans " +
    "(otlp), JSON, or a log of Reprise (jsonl). json and jsonl are exact copies. The other " +
    "formats are for sharing, so secrets are replaced. An encrypted export is jsonl by default.\n" +
    "Without REF, write many sessions as a site: pages that work without a server, with lists " +
    "by day and by project, and a search. The next run writes only what changed, and removes " +
    "nothing.",
  arguments: [["[ref]", "the session's id, or the path of its log"]],
  flags: EXPORT_FLAGS,
  examples: [
    "reprise export 3f2a --out session.html",
    "reprise export claude:8d1f --format md --tools brief | less",
    "reprise export 3f2a --format jsonl --redact --out shared.jsonl",
    "reprise export 3f2a --encrypt age1... --out session.age",
    "reprise export 3f2a --share s3://my-bucket/pages --days 3",
    "reprise export --all --project . --out site/",
  ],
  run: runExport,
});

async function runExport(
  context: Context,
  ref: string | undefined,
  flags: ExportFlags,
): Promise<void> {
  const { share, unshare, shared } = flags;
  if ((unshare !== undefined || shared) && (ref !== undefined || share !== undefined)) {
    throw new UsageError("--shared takes no arguments, and --unshare takes exactly one page");
  }
  if (flags.days !== undefined && share === undefined) throw new UsageError("--days needs --share");
  if (shared) return await listPages(context);
  if (unshare !== undefined) return await unsharePages(context, unshare);
  if (ref === undefined) return await exportMany(context, flags);
  return await (share === undefined ? exportSession : shareSession)(context, ref, flags);
}

async function shareSession(context: Context, ref: string, flags: ExportFlags): Promise<void> {
  const target = await openPageTarget(context, ref, flags);
  const output = new HeldPage();
  await writeDocument(context, target.source, { ...flags, format: "html", redact: true, output });
  await publishPage(context, target, output);
}

async function exportMany(context: Context, flags: ExportFlags): Promise<void> {
  const { out, format = "html", redact = sharesRedacted(context) } = flags;
  if (!choosesSessions(flags)) {
    throw new UsageError("Name a session, or export several: --all --out FOLDER");
  }
  if (out === undefined || out === "-") {
    throw new UsageError(
      "to write a site, name its folder: " +
        "--out FOLDER",
    );
  }
  if (format !== "html") throw new UsageError("a site can be written only as html");
  const of_one = [
    "force",
    "single",
    "thread",
    "identity",
    "encrypt",
    "passphrase",
    "share",
  ] as const;
  for (const name of of_one) {
    if (flags[name] !== undefined) throw new UsageError(`--${name} works only with one session`);
  }
  await exportSite(context, { ...flags, out, redact });
}

export async function exportSession(
  context: Context,
  ref: string,
  flags: ExportFlags,
): Promise<void> {
  if (choosesSessions(flags)) {
    throw new UsageError("Name one session, or give flags that choose several, not both");
  }
  const sealed = flags.encrypt !== undefined || flags.passphrase === true;
  const out = flags.out === "-" ? undefined : flags.out;
  const format = flags.format ?? formatByName(out, sealed);
  if (flags.tools !== undefined && !showsCalls(format)) {
    throw new UsageError(
      `--tools works only with md, html and text: ${format} always has every tool call in full`,
    );
  }
  if (flags.single && format !== "html") {
    throw new UsageError("--single is for html: every other format is always one file");
  }
  if (sealed && out === undefined && context.stdout.terminal) {
    throw new UsageError(
      "Cannot write an encrypted export to a terminal: give --out FILE, or pipe the output",
    );
  }
  const source = await openWhole(context, ref, { identity: flags.identity });
  const redact = flags.redact ?? (isForSharing(format) && sharesRedacted(context));
  const target = await sealTarget(context, flags);
  const plan = { ...flags, format, redact, out, target };
  if (format === "jsonl" && !redact && source.has_bytes) {
    await copyLog(context, source, plan);
  } else await writeDocument(context, source, plan);
}

type ExportPlan =
  & OutputFlags
  & Omit<ExportFlags, keyof OutputFlags>
  & { format: ExportFormat; redact: boolean };

/** True for formats made to be shared. Secrets in them are replaced by default. */
function isForSharing(format: ExportFormat): boolean {
  return format !== "json" && format !== "jsonl";
}

/** True for formats for human readers, in which `--tools` chooses the detail of tool calls. */
function showsCalls(format: ExportFormat): boolean {
  return format === "md" || format === "html" || format === "text";
}

function sharesRedacted(context: Context): boolean {
  return readConfig(contextStore(context).root)["redact.on_export"];
}

async function writeDocument(
  context: Context,
  source: SessionHandle,
  flags: ExportPlan,
): Promise<void> {
  const { format, redact, out, tools } = flags;
  const diagnostics = countDiagnostics();
  const findings = new FindingLog();
  const summary = await exportSummary(source, format);
  const all = format === "html";
  const copies = format === "jsonl";
  const read = await exportReader(source, present({ all, copies, thread: flags.thread }));
  const kinds = isForSharing(format) ? surveyKinds(source) : undefined;
  const redactor = redact
    ? await withProgress(
      context,
      "Looking for secrets",
      // Every kind is read, because events that the format omits may reveal a secret.
      (show) => surveyed(read(show, kinds), summary, findings),
    )
    : undefined;
  const written = await writeOutput(context, flags, async (output, signal) => {
    const document = await exportDocument(format, present({ tools, onPage: output.page }));
    output.write(document.begin(headerOf(context, summary, redactor)));
    await withProgress(context, "Writing", async (show) => {
      // On a terminal the document itself shows the progress.
      const shown = out === undefined && context.stdout.terminal ? () => {} : show;
      const batches = read(shown, document.needs, diagnostics.report);
      for await (const part of documentParts(document, batches, redactor)) {
        signal?.throwIfAborted();
        output.write(part);
        await output.drain?.();
      }
    });
    output.write(document.end());
  });
  await findings.tell(context, source.ref);
  await diagnostics.tell(context, source.ref);
  await tellWritten(context, written, flags.target);
  if (!all && !copies && flags.thread === undefined) await tellOthers(context, source, "export");
}

async function copyLog(
  context: Context,
  source: SessionHandle,
  flags: OutputFlags,
): Promise<void> {
  const { out } = flags;
  if (out === undefined && context.stdout.terminal) {
    throw new UsageError(
      "Cannot write an exact copy to a terminal: give --out FILE, or pipe the output",
    );
  }
  const written = await writeOutput(context, flags, async (output, signal) => {
    for await (const bytes of source.bytes()) {
      signal?.throwIfAborted();
      output.writeBytes(bytes);
      await output.drain?.();
    }
  });
  await tellWritten(context, written, flags.target);
}

async function tellWritten(
  context: Context,
  written: string | undefined,
  target: SealTarget | undefined,
): Promise<void> {
  if (written !== undefined) await say(context, `Wrote ${written}${describeTarget(target)}`);
}
