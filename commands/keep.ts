/** `reprise keep` */
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import { SessionError } from "../lib/event/session_error.ts";
import {
  findImports,
  type FoundImport,
  type FoundImports,
} from "../lib/session/import/find_imports.ts";
import { isGoneOnWith } from "../lib/session/import/gone_on.ts";
import { readManifest } from "../lib/session/import/kept_source.ts";
import { realDirectory } from "../lib/workspace/real_directory.ts";
import { foreignAgentOption } from "./_agent_option.ts";
import type { Context } from "./_context.ts";
import { counted } from "./_counted.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { type ImportOutcome, importSource } from "./_import.ts";
import { lookUp } from "./_import/subject.ts";
import { untilInterrupted } from "./_interrupt.ts";
import { say } from "./_message.ts";
import { type ShowProgress, startProgress, withProgress } from "./_progress.ts";
import type { SessionSource } from "./_session_source.ts";
import { openWhole } from "./_source.ts";
import { contextStore } from "./_store.ts";
import { parseSince } from "./_time.ts";

interface KeepFlags {
  agent?: string;
  all?: true;
  since?: Date;
  dryRun?: true;
  json?: true;
}

/** What became of one session. */
interface Kept {
  ref: string;
  status: "kept" | "unchanged" | "would-keep" | "failed";
  session_id?: string;
  path?: string;
  /** Files that were copied; none of a session in a database. */
  files?: number;
  /** The one that was kept before, and is put away now. */
  replaces?: string;
  /** The one that was kept before, which holds more and stays where it is. */
  longer?: string;
  /** It was put away, for its source had changed, which is now as it was then: shown again. */
  taken_back?: true;
  error?: string;
}

interface Run {
  dry: boolean;
  found: FoundImports;
  signal: AbortSignal;
  /** Takes how much of the one session is read. */
  onProgress?: ShowProgress;
}

/** Keeps other agents' sessions. */
export function keepCommand(context: Context): Command {
  return new Command("keep")
    .summary("keep other agents' sessions before these delete them")
    .description(
      "Keep a session of another agent, or all of an agent's in this directory: import\n" +
        "it, and copy its files byte for byte beside the log, both checked against what\n" +
        "was read. What was kept before and has not changed is left alone; what has grown\n" +
        "is kept anew, and the older one archived, unless it holds more.",
    )
    .argument("[ref]", "which session, as claude:3f2a, or the path of its file or database")
    .addOption(foreignAgentOption("all sessions of an agent, or of all"))
    .option("-a, --all", "with --agent: of all directories")
    .addOption(
      new Option("--since <time>", "with --agent: updated since, as 7d or 2026-11-21")
        .argParser((text) => parseSince(text, context.now())),
    )
    .option("--dry-run", "only say what would be kept")
    .option("--json", "what became of each session, one a line")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise keep claude:3f2a\n  reprise keep --agent claude --all --dry-run\n" +
        "  reprise keep --agent all --all --since 30d",
    )
    .action((ref, flags) => keep(context, ref, flags)) as unknown as Command;
}

async function keep(context: Context, ref: string | undefined, flags: KeepFlags): Promise<void> {
  if ((ref === undefined) === (flags.agent === undefined)) {
    throw new UsageError("give a session, or --agent\nSee: reprise keep --help");
  }
  if (ref !== undefined && (flags.all || flags.since !== undefined)) {
    throw new UsageError("--all and --since go with --agent");
  }
  const found = findImports(contextStore(context).root);
  const print = await printer(context, flags.json ?? false);
  await untilInterrupted(async (signal) => {
    const run: Run = { dry: flags.dryRun ?? false, found, signal };
    if (ref === undefined) return await keepMany(context, flags, run, print);
    const source = await openWhole(context, ref);
    const kept = await withProgress(
      context,
      "Keeping",
      (onProgress) => keepOne(context, source, { ...run, onProgress }),
    );
    print(kept);
    await say(context, describe(kept));
  });
}

async function printer(context: Context, json: boolean): Promise<(kept: Kept) => void> {
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  const { sanitizeLine } = await import("../lib/render/sanitize.ts");
  return (kept) => {
    if (json) context.stdout.write(toJsonLine(kept));
    else if (kept.session_id !== undefined) {
      context.stdout.write(`${kept.session_id} ${sanitizeLine(kept.ref)}\n`);
    } else if (kept.status === "would-keep") context.stdout.write(`${sanitizeLine(kept.ref)}\n`);
  };
}

function describe({ ref, status, files = 0, replaces, longer, ...kept }: Kept): string {
  if (status === "would-keep") return `Would keep ${ref}`;
  if (kept.taken_back) return `Kept already, and as it was then again: ${ref}; no longer archived`;
  if (status === "unchanged") return `Kept already, and not changed since: ${ref}`;
  const copies = files === 0 ? "its events; it has no file of its own" : counted(files, "file");
  const older = replaces === undefined ? "" : `; archived what was kept before: ${replaces}`;
  const fuller = longer === undefined
    ? ""
    : `; what was kept before holds more, and stays: ${longer}`;
  return `Kept ${ref}: ${copies}${older}${fuller}`;
}

async function keepOne(
  context: Context,
  source: SessionSource,
  { dry, ...run }: Run,
): Promise<Kept> {
  const options = { keep: true, ...run };
  const { ref } = source;
  if (dry) {
    const { same } = await lookUp(context, source, options);
    if (same === undefined) return { ref, status: "would-keep" };
    return { ref, status: "unchanged", session_id: same.session_id, path: same.path };
  }
  const outcome = await importSource(context, source, options);
  const { status, session_id, path, manifest, earlier } = outcome;
  if (status === "unchanged") {
    const back = earlier !== undefined && await takeBack(context, session_id);
    return { ref, status, session_id, path, ...(back ? { taken_back: true } : {}) };
  }
  const files = manifest?.files.length ?? 0;
  const before = earlier === undefined ? {} : await settleEarlier(context, outcome, earlier);
  return { ref, status: "kept", session_id, path, files, ...before };
}

/** Of a source that lost something, the fuller copy may be the last: it is not put out of sight. */
async function settleEarlier(
  context: Context,
  { imported_from, manifest }: ImportOutcome,
  earlier: FoundImport,
): Promise<Pick<Kept, "replaces" | "longer">> {
  const { session_id } = earlier;
  const before = readManifest(earlier.directory)?.events.count ?? 0;
  const shorter = imported_from.bytes === undefined || earlier.imported_from.bytes === undefined
    ? (manifest?.events.count ?? 0) < before
    : imported_from.bytes < earlier.imported_from.bytes;
  if (shorter) return { longer: session_id };
  return await putAway(context, earlier) ? { replaces: session_id } : {};
}

/** Shows a copy again that was put away when its source changed; says whether it was. */
async function takeBack(context: Context, session_id: string): Promise<boolean> {
  const store = contextStore(context);
  const { archived } = await store.summarize(store.find(session_id));
  if (archived) await store.archive(session_id, false);
  return archived;
}

/** Archives what was kept before, unless somebody went on with it. */
async function putAway(
  context: Context,
  { session_id, directory, path }: FoundImport,
): Promise<boolean> {
  const manifest = readManifest(directory);
  if (manifest === undefined || isGoneOnWith(path, manifest)) return false;
  await contextStore(context).archive(session_id);
  return true;
}

async function keepMany(
  context: Context,
  flags: KeepFlags,
  run: Run,
  print: (kept: Kept) => void,
): Promise<void> {
  const counts = { kept: 0, unchanged: 0, "would-keep": 0, failed: 0 };
  const sources = await chosenSources(context, flags, async (error) => {
    counts.failed++;
    await say(context, `reprise: ${error.message}`);
  });
  const progress = await startProgress(context, "Keeping", String);
  for (const [index, source] of sources.entries()) {
    progress.show(index + 1, sources.length);
    const kept = await keepOrSay(context, source, run).finally(progress.end);
    counts[kept.status]++;
    if (kept.error !== undefined) await say(context, `reprise: ${kept.ref}: ${kept.error}`);
    // Of hundreds that were kept long ago, programs alone want to know.
    if (flags.json || kept.status !== "unchanged" || kept.taken_back) print(kept);
    if (kept.longer !== undefined || kept.taken_back) await say(context, describe(kept));
  }
  await say(context, describeCounts(counts, flags.agent ?? ""));
  if (sources.length === 0 && !flags.all) {
    await say(context, `Look everywhere: reprise keep --agent ${flags.agent} --all`);
  }
  if (counts.failed > 0) throw new CommandExit(STATUS.failed);
}

/** One that cannot be kept is no reason to leave the others. */
async function keepOrSay(
  context: Context,
  source: SessionSource,
  run: Run,
): Promise<Kept> {
  try {
    return await keepOne(context, source, run);
  } catch (error) {
    if (!(error instanceof SessionError) || run.signal.aborted) throw error;
    return { ref: source.ref, status: "failed", error: error.message };
  }
}

async function chosenSources(
  context: Context,
  { agent = "", all, since }: KeepFlags,
  onError: (error: SessionError) => void,
): Promise<SessionSource[]> {
  const { foreignSources } = await import("./_foreign.ts");
  const here = realDirectory(context.cwd);
  const sources: SessionSource[] = [];
  const options = { onError, ...(since === undefined ? {} : { since }) };
  for await (const { source, cwd } of foreignSources(context, agent, options)) {
    if (all || (cwd !== undefined && realDirectory(cwd) === here)) sources.push(source);
  }
  return sources;
}

function describeCounts(counts: Record<Kept["status"], number>, agent: string): string {
  const whose = agent === "all" ? "" : ` of ${agent}`;
  const { kept, unchanged, failed } = counts;
  const would = counts["would-keep"];
  const parts = [
    would > 0
      ? `Would keep ${counted(would, "session")}${whose}`
      : `Kept ${counted(kept, "session")}${whose}`,
    ...(unchanged === 0 ? [] : [`kept before and unchanged: ${unchanged}`]),
    ...(failed === 0 ? [] : [`failed: ${failed}`]),
  ];
  return parts.join("; ");
}
