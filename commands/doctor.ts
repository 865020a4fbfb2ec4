/** `reprise doctor` */
import { SessionError } from "../lib/core/event/session_error.ts";
import { lstatSync } from "../lib/core/platform/files.ts";
import { isNotFound } from "../lib/core/platform/system_error.ts";
import type { StoreProblem } from "../lib/core/store/examine_store.ts";
import { realDirectory } from "../lib/core/workspace/real_directory.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { counted } from "../lib/core/event/counted.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { IDENTITY_FLAG } from "./_scope_flags.ts";
import { contextStore, tellIgnoredSettings } from "./_store.ts";
import { contextLibrary, isCacheOff } from "./_library.ts";
import { printFitted, printJson, say } from "./_message.ts";
import { doctorAgentsCommand } from "./doctor/agents.ts";

export const doctorCommand = defineCommand({
  description:
    "Check the folder with Reprise's sessions (the store) and the cache: file permissions, " +
    "owners, links, leftover files, unreadable logs and readers of your own. With REF, check every byte of that " +
    "session, and the order of its events. If the session is a backup, also check the hashes " +
    "of its files. The exit status is 1 if problems remain.",
  arguments: [[
    "[ref]",
    "the session to check: its id, or the path of its log (without REF: check the store)",
  ]],
  flags: {
    "--fix": "correct file permissions and remove leftover files; logs are never changed",
    "--json":
      "print each problem as one line of JSON; for a session, also print one line with counts",
    ...IDENTITY_FLAG,
  },
  commands: { agents: doctorAgentsCommand },
  examples: [
    "reprise doctor",
    "reprise doctor --fix",
    "reprise doctor 3f2a",
    "reprise doctor ./transcript_events.jsonl --json",
    "reprise doctor agents",
  ],
  run: async (context, ref, flags) => {
    if (ref === undefined) return await doctor(context, flags);
    if (flags.fix) {
      throw new UsageError("--fix repairs only the store. To repair a session: reprise repair REF");
    }
    const { checkSession } = await import("./doctor/check_session.ts");
    await checkSession(context, ref, flags);
  },
});

async function doctor(context: Context, flags: { fix?: true; json?: true }): Promise<void> {
  const { root } = contextStore(context);
  const { examineCache, formerCacheFiles } = await import(
    "../lib/library/catalogue/cache/examine_cache.ts"
  );
  const { examineStore } = await import("../lib/core/store/examine_store.ts");
  const { sanitizeLine } = await import("../lib/text/render/sanitize.ts");
  let left = 0;
  let fixed = 0;
  const { cache, environment } = contextLibrary(context).place;
  const of_cache = cache === undefined || isCacheOff(context) ? [] : examineCache(cache);
  const problems = [...examineStore(root), ...formerCacheFiles(root), ...of_cache];
  for (const problem of problems) {
    const mended = flags.fix === true && mend(problem);
    if (mended) fixed++;
    else left++;
    const { code, path, detail } = problem;
    const state = mended ? "fixed" : problem.fix === undefined ? "look" : "fixable";
    if (flags.json) await printJson(context, { code, path, detail, state });
    else await printFitted(context, `${state}: ${sanitizeLine(path)}: ${sanitizeLine(detail)}`);
  }
  const { failingReaders } = await import("../lib/library/machine/own_readers.ts");
  for (const [name, { message: detail }] of await failingReaders(environment)) {
    left++;
    const path = `agents.${name}.reader`;
    if (flags.json) await printJson(context, { code: "reader", path, detail, state: "look" });
    else await printFitted(context, `look: ${path}: ${sanitizeLine(detail)}`);
  }
  await tellIgnored(context, root);
  await say(
    context,
    isThere(root) ? conclusion(root, left, fixed, flags.fix === true) : noStore(root),
  );
  if (isThere(root)) await tellPlainDisk(context, root);
  if (left > 0) throw new CommandExit(STATUS.failed);
}

/** Prints a note if the disk is known to be unencrypted. This note does not count as a problem. */
async function tellPlainDisk(context: Context, root: string): Promise<void> {
  const { diskEncryption } = await import("../lib/core/workspace/disk_encryption.ts");
  const disk = diskEncryption(realDirectory(root));
  if (disk === undefined || disk.encrypted) return;
  const { source, file_system } = disk;
  await say(
    context,
    `The store is on a disk that Linux does not encrypt (${source}, ${file_system}). ` +
      "What you can do: see SECURITY.md in the source repository",
  );
}

/** True unless the store is missing. Another check reports an unreadable store. */
function isThere(root: string): boolean {
  try {
    lstatSync(root);
    return true;
  } catch (error) {
    return !isNotFound(error);
  }
}

/** Warns of ignored settings. Skips an unreadable file, which is already among the problems. */
async function tellIgnored(context: Context, root: string): Promise<void> {
  try {
    await tellIgnoredSettings(context, root);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
  }
}

function mend({ fix }: StoreProblem): boolean {
  if (fix === undefined) return false;
  try {
    fix();
    return true;
  } catch {
    // The file is not ours to change, so the problem remains.
    return false;
  }
}

function conclusion(root: string, left: number, fixed: number, fix: boolean): string {
  const done = fixed === 0 ? "" : `, ${fixed} fixed`;
  if (left === 0) return `No problems found${done}: ${root}`;
  const advice = fix ? "" : ". Fix what is fixable: reprise doctor --fix";
  return `${counted(left, "problem")} left${done}${advice}: ${root}`;
}

function noStore(root: string): string {
  return `No store yet: ${root}`;
}
