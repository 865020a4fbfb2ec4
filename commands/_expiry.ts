/**
 * Says which of the sessions in a list their own agent deletes soon: while they can still be backed up.
 */
import type { Library } from "../lib/library/library.ts";
import type { Summary } from "../lib/projection/summary_row.ts";
import type { Agent } from "../lib/source/agent.ts";
import type { Expiry } from "../lib/source/expiry.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import { localDay } from "./_time.ts";

/** Names, agent by agent, how many sessions are deleted within a week, why, and what keeps them. */
export async function tellExpiry(
  context: Context,
  library: Library,
  rows: readonly Summary[],
  cwd: string | undefined,
): Promise<void> {
  const { expiringSessions } = await import("../lib/library/expiring.ts");
  const now = context.now();
  const { home } = library.place.environment;
  const options = { now, ...(cwd === undefined ? {} : { cwd }) };
  for (const { agent, expiry, sessions } of await expiringSessions(library, rows, options)) {
    const [first] = sessions;
    if (first === undefined) continue;
    const all = cwd === undefined ? " --all" : "";
    await say(
      context,
      `reprise: ${agent.name} deletes ${sessions.length} of these sessions within 7 days ` +
        `(${sessions.length === 1 ? "" : "the first "}${dueText(context, first.due)}), ` +
        `because ${await reason(agent, expiry, home)}; ` +
        `keep them: reprise keep --agent ${agent.name}${all}`,
    );
  }
}

function dueText({ now }: Context, due: Date): string {
  return due <= now() ? "when it starts next" : `on ${localDay(due)}`;
}

async function reason(
  { title }: Agent,
  { setting, path, after_days }: Expiry,
  home: string,
): Promise<string> {
  const days = Math.round(after_days * 10) / 10;
  if (setting === undefined) return `${title} keeps them for ${days} days`;
  if (path === undefined) return `${setting} is ${days} days by default`;
  const { directoryText } = await import("../lib/render/directory_text.ts");
  return `${setting} is ${days} days in ${directoryText(path, home)}`;
}
