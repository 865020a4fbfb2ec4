/**
 * Hands a session over to another agent: reads the session, prints a report, writes the copy and
 * records the hand-over.
 */
import { dirname, resolve } from "node:path";
import type { AgentName } from "../../lib/core/event/agent_name.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import type {
  HandedOver,
  HandoverPlan,
  HandoverReport,
  HandoverTarget,
} from "../../lib/features/handover/mod.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import { removeSync } from "../../lib/core/platform/files.ts";
import type { Context } from "../_context.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { type ShowProgress, withProgress } from "../../lib/frontends/ui/progress.ts";
import { runProgram } from "./run_program.ts";
import { quoteWord, shellCommand } from "../../lib/core/platform/shell_word.ts";
import { reportLines } from "./report_text.ts";
import { present } from "../../lib/core/event/present.ts";

export interface HandoverChoice {
  to: AgentName;
  cwd?: string;
  title?: string;
  tools?: "mapped" | "native" | "text";
  reasoning?: "drop" | "keep";
  last?: number;
  out?: string;
  redact?: true;
  force?: true;
  again?: true;
  /** True for `reprise take`: the session cannot be running, and errors advise the flag `--in`. */
  taken?: true;
  dryRun?: true;
  /** Asks for consent after the report was printed. */
  confirm?: () => Promise<boolean>;
}

export interface HandoverOutcome {
  report: HandoverReport;
  cwd: string;
  /** The written session; absent after a dry run or without consent. */
  done?: CarriedOut;
}

export async function handOverSession(
  context: Context,
  session: SessionHandle,
  choice: HandoverChoice,
): Promise<HandoverOutcome> {
  const place = await placeOf(context, session, choice);
  const { target, cwd } = place;
  return await untilInterrupted(async (signal) => {
    const { handoverReport } = await import("../../lib/features/handover/mod.ts");
    // The session is read twice, each time with its own progress.
    const reading: Reading = { signal, show: () => {} };
    const plan = await planned(context, session, target, choice, reading);
    const report = handoverReport(plan, target);
    await say(context, reportLines(report, target.title).join("\n"));
    if (choice.dryRun === undefined && (await choice.confirm?.() ?? true)) {
      const done = await carryOut(context, plan, place, choice, reading);
      const { root } = contextLibrary(context);
      const is_continued = place.out === undefined && done.prepare.length === 0;
      // The other machine's end goes on as a session of its own.
      if (is_continued && session.session.branch_of !== undefined) {
        const { forgetPulled } = await import(
          "../../lib/library/machine/pulled/pulled_sessions.ts"
        );
        forgetPulled(root, session.session);
      }
      return { report, cwd, done };
    }
    await say(context, "Nothing was written.");
    return { report, cwd };
  });
}

interface CarriedOut extends HandedOver {
  /** True if an import command of the receiving agent failed. */
  failed?: true;
}

/** Abort signal and progress function. The session is read twice, and each read sets its `show`. */
interface Reading {
  signal: AbortSignal;
  show: ShowProgress;
}

interface HandoverPlace {
  target: HandoverTarget;
  cwd: string;
  /** Absolute path of the file to write instead of the agent's own files. */
  out: string | undefined;
}

/** Determines the destination. Rejects an impossible one before the slow read of a session. */
async function placeOf(
  context: Context,
  session: SessionHandle,
  choice: HandoverChoice,
): Promise<HandoverPlace> {
  const [{ assertHandoverPlace }, { earlierHandover }, { handoverTarget }] = await Promise.all([
    import("../../lib/features/handover/hand_over.ts"),
    import("../../lib/features/handover/handover_record.ts"),
    import("../../lib/features/handover/target.ts"),
  ]);
  const { root, place: { environment } } = contextLibrary(context);
  const target = await handoverTarget(choice.to, environment);
  const cwd = await directoryOf(context, session, choice);
  if (choice.out !== undefined) return { target, cwd, out: resolve(context.cwd, choice.out) };
  const advice = choice.taken && `Start ${target.title} once, or name another agent: --in AGENT`;
  assertHandoverPlace(target, cwd, choice.force ?? false, advice);
  if (!choice.again && !choice.dryRun) {
    const earlier = await earlierHandover(root, target.agent, session, choice);
    if (earlier !== undefined) throw handedAlready(session, target, earlier.id);
  }
  return { target, cwd, out: undefined };
}

async function carryOut(
  context: Context,
  plan: HandoverPlan,
  { target, cwd, out }: HandoverPlace,
  { title, force }: HandoverChoice,
  reading: Reading,
): Promise<CarriedOut> {
  const { handOver, rememberImport, underGivenId } = await import(
    "../../lib/features/handover/hand_over.ts"
  );
  const library = contextLibrary(context);
  const options = { root: library.root, cwd, title, out, force };
  const done = await withProgress(context, "Writing", (show) => {
    reading.show = show;
    return handOver(plan, target, options);
  });
  if (out !== undefined || done.prepare.length === 0) return done;
  const { prepared, printed } = await prepare(context, done, cwd);
  if (prepared.prepare.length > 0 || done.kept_in === undefined) return prepared;
  const imported = underGivenId(library.root, plan, prepared, printed);
  removeQuietly(done.file.path);
  await rememberImport(library, plan, imported, cwd);
  return imported;
}

async function planned(
  context: Context,
  session: SessionHandle,
  target: HandoverTarget,
  { tools, reasoning, last, redact, taken }: HandoverChoice,
  reading: Reading,
): Promise<HandoverPlan> {
  const { planHandover } = await import("../../lib/features/handover/mod.ts");
  const now = context.now().getTime();
  const onProgress: ShowProgress = (done, all) => reading.show(done, all);
  const plan = await withProgress(context, "Reading", (show) => {
    reading.show = show;
    const { signal } = reading;
    const options = { now, signal, onProgress, tools, reasoning, last, redact };
    return planHandover(session, target, present(options));
  });
  if (plan.in_use && !taken) {
    await say(
      context,
      `reprise: ${session.ref} may still be running, so only its content so far is handed over`,
    );
  }
  return plan;
}

async function directoryOf(
  context: Context,
  session: SessionHandle,
  { cwd: given, out }: HandoverChoice,
): Promise<string> {
  if (given !== undefined) return resolve(context.cwd, given);
  const { cwd } = await session.summary();
  if (cwd !== undefined && cwd !== "") return cwd;
  if (out !== undefined) return context.cwd;
  const message = `Cannot hand over ${session.ref}: the session does not record its directory. ` +
    "Name the directory: --cwd DIR";
  throw new SessionError("not-found", message, { ref: session.ref });
}

function handedAlready(
  { ref }: SessionHandle,
  { title, agent }: HandoverTarget,
  id: string,
): SessionError {
  const message =
    `Cannot hand over ${ref}: ${title} already has an unchanged copy: ${agent}:${id}\n` +
    `To continue the session: reprise resume ${agent}:${
      quoteWord(id)
    }\nTo make a new copy: --again`;
  return new SessionError("unsupported-source", message, { ref });
}

interface Prepared {
  /** The written session. Its `prepare` holds the import commands from the failed command on. */
  prepared: CarriedOut;
  /** Output of the last command that succeeded, or "" if none did. */
  printed: string;
}

/** Runs the receiving agent's import commands, up to the first that fails. Prints that failure. */
async function prepare(context: Context, done: HandedOver, cwd: string): Promise<Prepared> {
  let printed = "";
  for (const [index, argv] of done.prepare.entries()) {
    const outcome = await runProgram(context, argv, cwd);
    if (outcome.state === "done") {
      printed = outcome.printed;
      continue;
    }
    const words = shellCommand(argv);
    const why = outcome.state === "missing"
      ? `there is no program ${argv[0]} on PATH`
      : outcome.why;
    await say(context, `reprise: Cannot run ${words}: ${why}`);
    const left = { ...done, prepare: done.prepare.slice(index) };
    return { prepared: outcome.state === "failed" ? { ...left, failed: true } : left, printed };
  }
  return { prepared: { ...done, prepare: [] }, printed };
}

function removeQuietly(path: string): void {
  try {
    removeSync(path);
    removeSync(dirname(path));
  } catch {
    // The folder holds another hand-over.
  }
}
