/**
 * What commands share that make a session of others.
 */
import { SessionError } from "../lib/event/session_error.ts";
import type { Summary } from "../lib/projection/summary_row.ts";
import type { WrittenSession } from "../lib/session/write_session.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { isForeign, openSource, type SessionSource } from "./_source.ts";

/** A session of ours to copy from. */
export interface Original {
  source: SessionSource;
  row: Summary;
}

/** The session that a reference names, whose events can be copied as they are. */
export async function openOriginal(
  context: Context,
  ref: string,
  action: "fork" | "merge",
): Promise<Original> {
  const source = await openSource(context, ref);
  if (!isForeign(source)) return { source, row: await source.summary() };
  const given = ref.replace(/#\d+$/, "");
  const message =
    `Cannot ${action} ${source.ref}: another agent keeps it; first: reprise import ${given}`;
  throw new SessionError("unsupported-source", message, { ref: source.ref, path: source.path });
}

/** Does what ^C stops, and leaves nothing behind then. */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  Deno.addSignalListener("SIGINT", onSignal);
  try {
    return await work(stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? new CommandExit(STATUS.cancelled) : error;
  } finally {
    Deno.removeSignalListener("SIGINT", onSignal);
  }
}

/** Prints the id of a session that was made, or all that is known of it. */
export async function printMade(
  { stdout }: Context,
  made: WrittenSession,
  { json }: { json?: true },
): Promise<void> {
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  stdout.write(json ? toJsonLine(made) : `${made.session_id}\n`);
}

/** A number with its noun. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
