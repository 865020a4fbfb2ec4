/** Prints the sessions that run now, a line a change. */
import type {
  RunningSession,
  RunningSessions,
} from "../../lib/library/running/running_sessions.ts";
import type { Context } from "../_context.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { say } from "../_message.ts";

/** How to print. */
export interface LinesOptions {
  /** True to print what runs now, and end. */
  once: boolean;
  /** True to print objects. */
  json: boolean;
}

type ToLine = (session: RunningSession) => string;

/**
 * Prints a line a session, and another one whenever it changed, until ^C.
 *
 * @throws {CommandExit} `cancelled`, unless it was for once.
 */
export async function watchInLines(
  context: Context,
  sessions: RunningSessions,
  { once, json }: LinesOptions,
): Promise<void> {
  const { toJsonLine } = await import("../../lib/render/json_lines.ts");
  const { nextLook } = await import("../../lib/screens/running_list.ts");
  const toLine = json ? jsonLine(toJsonLine, await doing()) : await textLine(context);
  const printed = new Map<string, string>();
  await untilInterrupted(async (signal) => {
    do {
      const begun = performance.now();
      const running = await sessions.look();
      for (const session of running) {
        const line = toLine(session);
        if (printed.get(session.row.ref) !== line) context.stdout.write(line);
        printed.set(session.row.ref, line);
      }
      for (const ref of printed.keys()) {
        if (running.some(({ row }) => row.ref === ref)) continue;
        printed.delete(ref);
        context.stdout.write(json ? toJsonLine({ ref, state: "ended" }) : endedLine(ref));
      }
      if (once && running.length === 0) await say(context, "No session runs now");
      if (!once) await nextLook(performance.now() - begun, signal);
      signal.throwIfAborted();
    } while (!once);
  });
}

async function doing(): Promise<(session: RunningSession) => string> {
  const { doingText } = await import("../../lib/render/running_table.ts");
  return ({ activity, row }) => doingText(activity, row.cwd);
}

function jsonLine(
  toJsonLine: (value: unknown) => string,
  doingOf: (session: RunningSession) => string,
): ToLine {
  return (session) => {
    const { row: { ref, agent, cwd, title, updated_at }, activity, usage, cost } = session;
    const { state, since } = activity;
    const doing = doingOf(session);
    return toJsonLine({ ref, agent, cwd, title, state, doing, since, updated_at, usage, ...cost });
  };
}

/** A line without ages: else each look would be a change. */
async function textLine(context: Context): Promise<ToLine> {
  const { renderRunningLine } = await import("../../lib/render/running_table.ts");
  const home = context.variable("HOME");
  return (session) => `${renderRunningLine(session, home)}\n`;
}

function endedLine(ref: string): string {
  return `${ref}\tended\n`;
}
