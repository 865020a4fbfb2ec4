/**
 * Which of the sessions in a list their own agent deletes soon: said while they can still be kept.
 */
import type { Agent } from "../lib/source/agent.ts";
import type { Expiry } from "../lib/source/expiry.ts";
import type { Summary } from "../lib/projection/summary_row.ts";
import { findImports, type FoundImports, importKey } from "../lib/session/import/find_imports.ts";
import { readManifest } from "../lib/session/import/kept_source.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import { contextStore } from "./_store.ts";
import { localDay } from "./_time.ts";

const SOON_MS = 7 * 86_400_000;

/** Of the sessions of some agents in a list, those that are deleted within a week. */
export async function tellExpiry(
  context: Context,
  choice: string,
  rows: readonly Summary[],
  cwd: string | undefined,
): Promise<void> {
  const { agentEnvironment, chosenAgents } = await import("./_foreign.ts");
  const environment = agentEnvironment(context);
  let kept: FoundImports | undefined;
  for (const agent of await chosenAgents(choice)) {
    const expiry = agent.expiry?.(environment, cwd);
    if (expiry === undefined) continue;
    const own = rows.filter((row) => row.agent === agent.name);
    const soon = await dueSoon(expiry, own, context.now());
    if (soon.length === 0) continue;
    kept ??= findImports(contextStore(context).root);
    const found = kept;
    const lost = soon.filter(({ row }) => !isKept(found, row));
    const [first] = lost;
    if (first === undefined) continue;
    const all = cwd === undefined ? " --all" : "";
    await say(
      context,
      `reprise: ${agent.name} deletes ${lost.length} of these sessions within 7 days ` +
        `(${lost.length === 1 ? "" : "the first "}${dueText(context, first.due)}), ` +
        `because ${await reason(agent, expiry, environment.home)}; ` +
        `keep them: reprise keep --agent ${agent.name}${all}`,
    );
  }
}

interface Due {
  row: Summary;
  due: Date;
}

async function dueSoon(expiry: Expiry, rows: readonly Summary[], now: Date): Promise<Due[]> {
  const { expiryTime } = await import("../lib/source/expiry.ts");
  return rows.flatMap((row): Due[] => {
    const due = expiryTime(expiry, row);
    return due !== undefined && due.getTime() < now.getTime() + SOON_MS ? [{ row, due }] : [];
  }).sort((one, other) => one.due.getTime() - other.due.getTime());
}

/** Whether the store has all of it: the last that was kept is as long as it is now. */
function isKept(found: FoundImports, { agent, session_id: id, bytes }: Summary): boolean {
  const kept = found.get(importKey({ agent, id })) ?? [];
  return kept.some(({ imported_from, directory }) =>
    imported_from.bytes === bytes && readManifest(directory) !== undefined
  );
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
