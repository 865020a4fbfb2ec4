/** Compares the parts that this machine sent with the parts in the store. */
import { type CopyPart, currentParts, parsePart, sumOfNames } from "../objects/copy_parts.ts";
import { readHead } from "../objects/heads.ts";
import { listCopies, type ListedCopy } from "../objects/listed_copies.ts";
import { hashedName, headKey, sessionCopy } from "../objects/object_keys.ts";
import { plainBytes } from "../objects/part_codec.ts";
import type { SessionToShare } from "../sessions_to_share.ts";
import type { SyncedSession } from "../state/sync_state.ts";
import type { StoreCheckReport } from "../sync_report.ts";
import { placeIn, type PushRun } from "./push_run.ts";

/**
 * Minimum age in seconds of an unknown part that is deleted. Another process may just have sent a
 * younger part.
 */
const FRESH_S = 60 * 60;

/**
 * Finds parts of this machine's copies that the store lost. The next push sends these sessions
 * again, beginning with the first lost part. Deletes parts that a killed push left behind.
 *
 * @param reads_all True to read each part, and so find changed parts, too.
 */
export async function checkStore(
  run: PushRun,
  shares: readonly SessionToShare[],
  reads_all: boolean,
): Promise<StoreCheckReport> {
  const { team, state, settings } = run;
  const { objects, owner } = team;
  const copies = await listCopies(objects, { owner, device: settings.device.id });
  const report: StoreCheckReport = { sessions: 0, restored: [], lost: [] };
  const here = new Map(shares.map((share) => [share.id, share]));
  adopt(run, shares, copies);
  const there = new Map(copies.map((copy) => [`${copy.project} ${copy.session}`, copy]));
  for (const [id, known] of Object.entries(state.sessions)) {
    if (known.parts.length === 0) continue;
    report.sessions++;
    const copy = there.get(`${hashedName(known.project)} ${id}`);
    const first = await firstLost(run, id, known, copy?.parts ?? [], reads_all);
    if (copy !== undefined) await removeLeft(run, id, known, copy);
    if (first < 0) continue;
    if (here.has(id)) {
      // What follows the lost part stays until its replacement is there.
      const parts = known.parts.slice(0, first);
      Object.assign(known, { parts, state: [], edition: known.edition + 1 });
      run.changed.add(known.project);
      report.restored.push(id);
    } else {
      const message = "the store lost a part of this session. This machine cannot send it again, " +
        "because it no longer has the session or its project";
      report.lost.push({ session: id, message });
    }
  }
  await checkHeads(run);
  return report;
}

/**
 * Adds to the local state the copies that only the store knows, for example because the state was
 * deleted.
 */
function adopt(
  { state }: PushRun,
  shares: readonly SessionToShare[],
  copies: readonly ListedCopy[],
): void {
  const projects = new Map(
    shares.map(({ project: { project } }) => [hashedName(project), project]),
  );
  for (const { project: hash, session, parts: found } of copies) {
    const project = projects.get(hash);
    if (project === undefined || Object.hasOwn(state.sessions, session)) continue;
    const { parts } = currentParts(found);
    const edition = found.reduce((last, part) => Math.max(last, part.edition), 0);
    state.sessions[session] = { project, state: [], edition, parts: parts.map(({ name }) => name) };
  }
}

/**
 * Returns the index of the first missing or changed part, or -1 if there is none. Only `reads_all`
 * finds changed parts. A changed part is deleted.
 */
async function firstLost(
  run: PushRun,
  id: string,
  { project, parts }: SyncedSession,
  found: readonly CopyPart[],
  reads_all: boolean,
): Promise<number> {
  const names = new Set(found.map(({ name }) => name));
  const missing = parts.findIndex((name) => !names.has(name));
  if (!reads_all) return missing;
  const folder = sessionCopy(placeIn(run, project), id);
  for (const [at, name] of parts.entries()) {
    if (at === missing) return at;
    const part = parsePart(name);
    const stored = part && await run.team.objects.get(folder + name, part.size);
    if (part === undefined || stored === undefined) return at;
    if (plainBytes(part, stored.bytes) === undefined) {
      await run.team.objects.delete(folder + name);
      return at;
    }
  }
  return missing;
}

/** Deletes the objects that a killed push or a conflict left in the folder of a session. */
async function removeLeft(
  run: PushRun,
  id: string,
  { project, parts }: SyncedSession,
  { parts: found, others }: ListedCopy,
): Promise<void> {
  const { team: { objects }, now } = run;
  const folder = sessionCopy(placeIn(run, project), id);
  const old = Math.floor(now.getTime() / 1000) - FRESH_S;
  const left = found.filter(({ name, at }) => !parts.includes(name) && at < old);
  for (const { name } of left) await objects.delete(folder + name);
  for (const key of others) await objects.delete(key);
}

/**
 * Marks each project as changed whose head in the store is lost or out of date. The push then
 * writes the head again.
 */
async function checkHeads(run: PushRun): Promise<void> {
  const { team, state, changed } = run;
  const records = Object.values(state.sessions).filter(({ parts }) => parts.length > 0);
  for (const [project, some] of Map.groupBy(records, (one) => one.project)) {
    const { parts, sum } = sumOfNames(some.flatMap((one) => one.parts));
    const head = await readHead(team.objects, headKey(placeIn(run, project)));
    if (head?.parts !== parts || head.sum !== sum) changed.add(project);
  }
}
