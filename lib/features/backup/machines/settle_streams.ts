/**
 * Compares the received sessions of other machines with this machine's files. If only another
 * machine continued a file, this machine's file grows. If both continued it, the other machine's
 * version is a branch.
 */
import { dirname, join } from "node:path";
import { present } from "../../../core/event/present.ts";
import { isThere } from "../../../core/file/presence.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { replaceFile } from "../../../core/log/replace_file.ts";
import { readDirSync } from "../../../core/platform/files.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import type { AgentName } from "../../../core/event/agent_name.ts";
import {
  type PulledEntry,
  pulledFolder,
  pulledListPath,
} from "../../../library/machine/pulled/pulled_sessions.ts";
import { movedPath } from "../bundle/moved_records.ts";
import { compareFiles, type FileRelation } from "./compare_files.ts";
import { continueFile } from "./continue_file.ts";
import type { MachineName, MachineNames } from "./machine_names.ts";
import { contentPath, type OwnLedger, type OwnStream } from "./own_streams.ts";
import type { PulledStream, PulledStreams } from "./pulled_streams.ts";
import type { StreamFacts } from "./stream_record.ts";

export interface MachineBranch {
  ref: string;
  /** The reference of the other machine's version of the session. */
  branch: string;
  machine: string;
}

export interface SettledStreams {
  /** References of sessions of this machine that grew by another machine's lines. */
  grown: string[];
  /** References of sessions that got no new bytes, because their agent has them open here. */
  open: string[];
  branches: MachineBranch[];
  /** Sessions of other machines that appear in lists. This machine does not send them itself. */
  shown: (StreamFacts & { ref: string })[];
}

interface OtherStream {
  device: string;
  streams: PulledStreams;
  stream: PulledStream;
}

export type IsOpen = (session: AgentSession) => Promise<boolean>;

export interface SettlePlan {
  root: string;
  isOpen: IsOpen;
  /** True if a branch was continued as a session of its own, and has not grown since. */
  isContinued(branch: string, bytes: number): boolean;
  names: MachineNames;
}

/**
 * Appends to this machine's files the bytes that other machines added. Writes lists of the sessions
 * that are only on other machines. The caller must then save the changed `ledger`.
 */
export async function settleStreams(
  { root, isOpen, isContinued, names }: SettlePlan,
  ledger: OwnLedger,
  machines: ReadonlyMap<string, PulledStreams>,
): Promise<SettledStreams> {
  const settled: SettledStreams = { grown: [], open: [], branches: [], shown: [] };
  const lists = new Map<AgentName, PulledEntry[]>();
  const show = (other: OtherStream, branch_of?: string): void => {
    const entry = entryOf(root, other, names.of(other.device), branch_of);
    const { agent } = other.stream.facts;
    const list = lists.get(agent) ?? [];
    list.push(entry);
    lists.set(agent, list);
  };
  for (const [ref, others] of byReference(machines)) {
    const own = ledger.streams[ref];
    const ends: OtherStream[] = [];
    for (const other of longestFirst(others)) {
      const relation = own === undefined
        ? "longer"
        : await settleOwn(ref, own, other, isOpen, settled);
      if (relation === "branch" || own === undefined) ends.push(other);
    }
    const [first, ...rest] = distinctEnds(ends);
    if (first === undefined) continue;
    const branches = own === undefined ? rest : [first, ...rest];
    if (own === undefined) {
      show(first);
      settled.shown.push({ ...first.stream.facts, ref });
    }
    for (const other of branches) {
      const { label, word } = names.of(other.device);
      const { agent, id } = other.stream.facts;
      if (isContinued(`${agent}:${id}.${word}`, mainBytes(other))) continue;
      show(other, other.stream.facts.id);
      settled.branches.push({ ref, branch: `${ref}.${word}`, machine: label });
    }
  }
  writeLists(root, lists);
  return settled;
}

function byReference(machines: ReadonlyMap<string, PulledStreams>): Map<string, OtherStream[]> {
  const found = new Map<string, OtherStream[]>();
  for (const [device, streams] of machines) {
    for (const [ref, stream] of Object.entries(streams.state.streams)) {
      if (mainOf(stream) === undefined || stream.gone) continue;
      const others = found.get(ref) ?? [];
      others.push({ device, streams, stream });
      found.set(ref, others);
    }
  }
  return found;
}

export function mainOf({ files }: Pick<PulledStream | OwnStream, "files">): string | undefined {
  return Object.keys(files)[0];
}

function mainPath({ streams, stream }: OtherStream): string {
  return streams.pathOf(stream.facts, mainOf(stream) ?? "");
}

function mainBytes({ stream }: OtherStream): number {
  return stream.files[mainOf(stream) ?? ""]?.bytes ?? 0;
}

function longestFirst(others: readonly OtherStream[]): OtherStream[] {
  return others.toSorted((one, other) => mainBytes(other) - mainBytes(one));
}

/** Returns the versions of a session that are not the start of a longer version. */
function distinctEnds(ends: readonly OtherStream[]): OtherStream[] {
  const distinct: OtherStream[] = [];
  for (const one of ends) {
    const is_part = distinct.some((longer) =>
      isPart(compareFiles(mainPath(one), mainBytes(one), mainPath(longer), mainBytes(longer)))
    );
    if (!is_part) distinct.push(one);
  }
  return distinct;
}

function isPart(relation: FileRelation): boolean {
  return relation === "same" || relation === "longer";
}

/** Compares a session with another machine's version. Appends the bytes of a longer version. */
async function settleOwn(
  ref: string,
  own: OwnStream,
  other: OtherStream,
  isOpen: IsOpen,
  settled: SettledStreams,
): Promise<FileRelation> {
  const name = mainOf(other.stream) ?? "";
  const file = own.files[name];
  const pulled = other.stream.files[name];
  if (file === undefined || pulled === undefined) return "branch";
  const path = other.streams.pathOf(other.stream.facts, name);
  const relation = compareFiles(contentPath(file), file.sent, path, pulled.bytes);
  if (relation !== "longer") return relation;
  const { agent, id, cwd } = own.facts;
  const here = own.move === undefined || cwd === undefined ? cwd : movedPath(cwd, own.move) ?? cwd;
  if (await isOpen(present({ agent, id, path: file.path, cwd: here }))) {
    settled.open.push(ref);
    return relation;
  }
  let grown = false;
  // The main file comes last, so that agents never find lines that name missing files.
  for (const [part, { generation, bytes }] of Object.entries(other.stream.files).toReversed()) {
    const source = other.streams.pathOf(other.stream.facts, part);
    const common = { device: other.device, generation, bytes };
    const next = continueFile(own, part, source, common);
    if (next === undefined) continue;
    own.files[part] = next;
    grown ||= part === name;
  }
  if (grown) settled.grown.push(ref);
  return grown ? relation : "same";
}

function entryOf(
  root: string,
  other: OtherStream,
  { label: machine, word }: MachineName,
  branch_of?: string,
): PulledEntry {
  const path = mainPath(other).slice(pulledFolder(root).length + 1).replaceAll("\\", "/");
  const { id } = other.stream.facts;
  return present({ id: branch_of === undefined ? id : `${id}.${word}`, path, machine, branch_of });
}

function writeLists(root: string, lists: ReadonlyMap<AgentName, readonly PulledEntry[]>): void {
  const paths = new Set<string>();
  for (const [agent, entries] of lists) {
    const path = pulledListPath(root, agent);
    paths.add(path);
    makeDirectories(dirname(path));
    replaceFile(path, entries.map((entry) => `${JSON.stringify(entry)}\n`));
  }
  const folder = join(root, "machines", "shown");
  if (!isThere(folder)) return;
  for (const { name } of readDirSync(folder)) {
    if (!paths.has(join(folder, name))) removeQuietly(join(folder, name));
  }
}
