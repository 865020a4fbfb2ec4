/**
 * Lists a session's threads: the main thread, the agents' threads, and the parts that rollbacks
 * removed. Each thread precedes the parts that were removed from it.
 */
import { excerpt } from "../../core/projection/excerpt.ts";
import { lineBlocks } from "../../core/log/line_blocks.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { present } from "../engine/json.ts";
import type { FormatThread } from "../engine/session_format.ts";
import { readLineage } from "./lineage.ts";
import { findRollbacks, type RolledBack, threadWithRecord } from "./rollbacks.ts";
import { rolloutLines } from "./rollout_file.ts";
import { rolloutForm } from "./rollout_files.ts";
import { type CodexSession, spawnedBeside } from "./locate.ts";

export async function threadsOf(session: CodexSession): Promise<FormatThread[]> {
  const { spawned = await spawnedBeside(session) } = session;
  const threads = await threadsIn(session, { id: MAIN_THREAD, kind: "main", records: 0 });
  for (const { id, path, parent } of spawned) {
    const child: CodexSession = { agent: session.agent, id, path, named: true, spawned: [] };
    const spawner = parent === session.id.toLowerCase() ? MAIN_THREAD : parent;
    const thread = { id, kind: "subagent", parent: { thread: spawner }, records: 0 } as const;
    for (const one of await threadsIn(child, { ...thread, session: child })) threads.push(one);
  }
  return threads;
}

export async function threadWith(
  session: CodexSession,
  record_id: string,
): Promise<FormatThread | undefined> {
  const threads = await threadsOf(session);
  for (const main of threads.filter(({ kind }) => kind !== "replaced")) {
    const holder = main.session ?? session;
    if (rolloutForm(holder.path) === "document") continue;
    const id = await threadWithRecord(await readLineage(holder.path), record_id);
    if (id === undefined) continue;
    const taken = threads.find((one) => one.thread === id && one.session === main.session);
    return taken ?? main;
  }
  return undefined;
}

async function threadsIn(session: CodexSession, thread: FormatThread): Promise<FormatThread[]> {
  if (rolloutForm(session.path) === "document") return [thread];
  const lineage = await readLineage(session.path);
  const ranges = await findRollbacks(lineage);
  // What a fork goes on from belongs to the session that it was taken from.
  const base = lineage.at(-1)?.base ?? 0;
  const own = ranges.filter(({ to }) => to >= base);
  const dead = own.reduce((sum, { records }) => sum + records, 0);
  const records = Math.max(0, await countLines(session.path) - dead);
  return [{ ...thread, records }, ...own.map((range) => replacedThread(thread, range, ranges))];
}

function replacedThread(
  main: FormatThread,
  range: RolledBack,
  ranges: readonly RolledBack[],
): FormatThread {
  const { id, title, records, updated_at, from, to } = range;
  // A later rollback may have taken the place in which an earlier one's turns stood.
  const later = ranges.slice(ranges.indexOf(range) + 1);
  const outer = later.find((other) => other.from <= from && other.to >= to);
  return present({
    id,
    kind: "replaced" as const,
    parent: { thread: outer?.id ?? main.id },
    title: title === "" ? undefined : excerpt(title),
    records,
    updated_at,
    session: main.session,
    thread: id,
  });
}

async function countLines(path: string): Promise<number> {
  let lines = 0;
  if (rolloutForm(path) === "lines") {
    for (const block of lineBlocks(path)) {
      lines += block.oversized ? Number(block.terminated) : block.feeds.length;
    }
  } else {
    for await (const batch of rolloutLines({ path })) {
      lines += batch.filter(({ terminated }) => terminated).length;
    }
  }
  return lines;
}
