/** Pulls the copies of sessions that a team's members share into a read-only mirror. */
import { join } from "node:path";
import { present } from "../../../core/event/present.ts";
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { RECORDS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { type MirroredSession, remoteDirectory } from "../../../core/store/remote_mirror.ts";
import { assertSafeStore } from "../../../core/store/store_safety.ts";
import { teamRef } from "../../../agents/contract/session_name.ts";
import { type CopyPart, currentParts, sumOfNames } from "../objects/copy_parts.ts";
import { listHeads, type ProjectHead, readHead } from "../objects/heads.ts";
import { AT_ONCE, inParallel } from "../objects/in_parallel.ts";
import { listCopies, type ListedCopy } from "../objects/listed_copies.ts";
import { hashedName, parseHeadKey, sessionCopy } from "../objects/object_keys.ts";
import { plainBytes } from "../objects/part_codec.ts";
import type { Team } from "../open_team.ts";
import type { SyncSettings } from "../shared_project.ts";
import { replaceRecord } from "../state/sync_state.ts";
import type { PullReport, SyncProgress } from "../sync_report.ts";
import { type MirrorNote, readMirrorNote, writeMirror, writeMirrorNote } from "./mirror.ts";

export interface PullOptions {
  /** True to pull every readable project, not only the added projects. @default {false} */
  all?: boolean;
  onProgress?: (progress: SyncProgress) => void;
  /** Stops the pull between two sessions. Sessions that were already pulled stay. */
  signal?: AbortSignal;
}

const STOPS: ReadonlySet<string> = new Set(["unreachable", "disk-full"]);

/**
 * Pulls the changes that the added projects have had since the last pull.
 *
 * @param root The data root to which copies are written. @param team The connection.
 * @param settings The projects, and this device.
 * @returns What was pulled. A session that cannot be pulled is in `failed`, and does not stop the
 * pull of other sessions.
 * @throws {SessionError} `unreachable`, `permission`, `disk-full`, `unsafe-store`, `io`: the errors
 * that stop the whole pull.
 */
export async function pull(
  root: string,
  team: Team,
  settings: SyncSettings,
  options: PullOptions = {},
): Promise<PullReport> {
  assertSafeStore(root);
  const { objects: { traffic }, id: store, owner } = team;
  const { received_bytes } = traffic;
  const report: PullReport = {
    ...{ store, owner, pulled: [], incomplete: [], failed: [], bytes: 0, received_bytes: 0 },
  };
  const run: PullRun = { root, team, report, options };
  const seen = readSeen(root, store);
  const before = JSON.stringify([...seen]);
  const wanted = new Set(settings.projects.map(({ project }) => hashedName(project)));
  try {
    for (const [key, tag] of await listHeads(team.objects)) {
      const { device, project = "" } = parseHeadKey(key) ?? {};
      if (device === settings.device.id || seen.get(key) === tag) continue;
      if (!options.all && !wanted.has(project)) continue;
      const head = await readHead(team.objects, key);
      // Half of it has arrived.
      if (head !== undefined && await pullHead(run, head)) seen.set(key, tag);
    }
  } finally {
    report.received_bytes = traffic.received_bytes - received_bytes;
    if (JSON.stringify([...seen]) !== before) {
      replaceRecord(seenPath(root, store), Object.fromEntries(seen));
    }
  }
  return report;
}

function seenPath(root: string, store: string): string {
  // In the mirror: what is deleted with it comes again.
  return join(remoteDirectory(root), encodeURIComponent(store), "heads.json");
}

/** Returns the tags of the heads whose sessions were all pulled, by the key of the head. */
function readSeen(root: string, store: string): Map<string, string> {
  const value = parsedJson(shortTextIn(seenPath(root, store), RECORDS_BYTES, { follow: false }));
  return new Map(
    Object.entries(isObject(value) ? value : {})
      .flatMap(([key, tag]) => typeof tag === "string" ? [[key, tag]] : []),
  );
}

interface PullRun {
  root: string;
  team: Team;
  report: PullReport;
  options: PullOptions;
}

/** Pulls a machine's copies of a project's sessions. @returns True if all copies were pulled. */
async function pullHead(run: PullRun, head: ProjectHead): Promise<boolean> {
  const { team: { objects }, report, options: { signal, onProgress } } = run;
  const copies = (await listCopies(objects, head))
    .map((copy) => ({ ...copy, ...currentParts(copy.parts) }));
  const { parts, sum } = sumOfNames(copies.flatMap((copy) => copy.parts.map(({ name }) => name)));
  let is_all = parts === head.parts && sum === head.sum && copies.every((one) => one.is_whole);
  if (!is_all) report.incomplete.push(head.machine);
  const pullOne = async (copy: ListedCopy): Promise<void> => {
    signal?.throwIfAborted();
    try {
      await pullCopy(run, head, copy);
    } catch (error) {
      if (!(error instanceof SessionError) || STOPS.has(error.code)) throw error;
      is_all = false;
      const session = refOf(run, head, copy);
      report.failed.push({ session, message: error.message });
    }
  };
  const whole = copies.filter((one) => one.is_whole && one.parts.length > 0);
  let done = 0;
  for await (const _ of inParallel(whole, pullOne, AT_ONCE / 2)) {
    onProgress?.({ done: ++done, of: whole.length, bytes: report.bytes });
  }
  return is_all;
}

function refOf({ team }: PullRun, { owner }: ProjectHead, { session }: ListedCopy): string {
  return teamRef({ session, owner: owner === team.owner ? undefined : owner });
}

/** Updates the mirror of a session. If two machines pushed the session, the last push counts. */
async function pullCopy(run: PullRun, head: ProjectHead, copy: ListedCopy): Promise<void> {
  const { root, team, report } = run;
  const { owner, project, device, machine } = head;
  const { session, parts } = copy;
  const shared: MirroredSession = present({
    ...{ store: team.id, session },
    owner: owner === team.owner ? undefined : owner,
  });
  const known = readMirrorNote(root, shared);
  const at = parts.reduce((last, part) => Math.max(last, part.at), 0);
  if (known !== undefined && known.device !== device && known.at > at) return;
  const names = parts.map(({ name }) => name);
  const same = known?.device === device ? commonLength(known.parts, names) : 0;
  if (known?.device === device && same === names.length && same === known.parts.length) return;
  const goes_on = known !== undefined && same > 0 && same === known.parts.length;
  const from = goes_on ? known.bytes : 0;
  let written = await writeMirror(
    root,
    shared,
    from,
    piecesOf(run, head, session, goes_on ? parts.slice(same) : parts),
  );
  let bytes = from + written;
  if (written < 0) {
    written = await writeMirror(root, shared, 0, piecesOf(run, head, session, parts));
    bytes = written;
  }
  const note: MirrorNote = { project, device, machine, parts: names, bytes, at };
  writeMirrorNote(root, shared, note);
  report.bytes += written;
  report.pulled.push(refOf(run, head, copy));
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((name, at) => other[at] !== name);
  return end < 0 ? one.length : end;
}

async function* piecesOf(
  { team: { objects } }: PullRun,
  head: ProjectHead,
  session: string,
  parts: readonly CopyPart[],
): AsyncGenerator<Uint8Array> {
  const folder = sessionCopy(head, session);
  for (const part of parts) {
    const found = await objects.get(folder + part.name, part.size);
    const plain = found && plainBytes(part, found.bytes);
    if (plain === undefined) throw damaged(part, found !== undefined);
    yield plain;
  }
}

function damaged({ off }: CopyPart, is_there: boolean): SessionError {
  const message = is_there
    ? `Cannot read shared session: its file in the store was damaged or changed at byte ${off}. ` +
      "On the machine that sent it, run: reprise sync check"
    : "Cannot read shared session: a part of its file is missing in the store; try again later";
  return new SessionError("damaged", message, { offset: off });
}
