/** Places another machine's session where its agent looks for sessions on this machine. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { present } from "../../../core/event/present.ts";
import { replaceFile } from "../../../core/log/replace_file.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import type { AgentEnvironment } from "../../../agents/contract/agent_environment.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { type DirectoryMove, movedPath } from "../bundle/moved_records.ts";
import { placeFiles } from "../bundle/place_bundle.ts";
import { bundlePlaces } from "../bundle/session_parts.ts";
import { markBefore, openSource, piecesOf, stateOf } from "../source_file.ts";
import { checksumAt } from "./compare_files.ts";
import { type OwnFile, type OwnStream, readLedger } from "./own_streams.ts";
import { PLACED_FILE, placedFolder } from "./placed_streams.ts";
import { knownMachines } from "./pull_machines.ts";
import { copyPart, type PulledStream, type PulledStreams } from "./pulled_streams.ts";
import type { StreamFacts } from "./stream_record.ts";

export interface OtherSession {
  ref: string;
  device: string;
  streams: PulledStreams;
  stream: PulledStream;
}

/** Finds another machine's session whose received copy is `session`. Undefined if there is none. */
export function otherSession(
  root: string,
  session: Pick<AgentSession, "agent" | "path">,
): OtherSession | undefined {
  for (const [device, streams] of knownMachines(root, "")) {
    for (const [ref, stream] of Object.entries(streams.state.streams)) {
      const { facts, files } = stream;
      const [main = ""] = Object.keys(files);
      if (facts.agent !== session.agent || streams.pathOf(facts, main) !== session.path) continue;
      return { ref, device, streams, stream };
    }
  }
  return undefined;
}

/** Maps the session's project folder, if known, or else its directory to the folder `here`. */
export function moveTo({ cwd, top }: StreamFacts, here: string): DirectoryMove {
  const old = cwd ?? here;
  const inside = top !== undefined && movedPath(old, { old: top, here: "/" }) !== undefined;
  return { old: inside ? top : old, here };
}

/**
 * Writes another machine's session to the paths where its agent looks for sessions, with paths
 * changed to `directory`. Later pushes send the bytes that are added on this machine.
 *
 * @param directory The project's directory on this machine.
 * @throws {SessionError} `changed` if a file exists already; `unsafe-store`, `unsupported-source`,
 * `io`
 */
export async function placePulled(
  root: string,
  environment: AgentEnvironment,
  { ref, device, streams, stream }: OtherSession,
  directory: string,
): Promise<void> {
  const { facts, files } = stream;
  const move = moveTo(facts, directory);
  const cwd = facts.cwd === undefined ? directory : movedPath(facts.cwd, move) ?? directory;
  const parts = Object.entries(files).map(([name, { kind }]) => ({ name, kind }));
  const places = await bundlePlaces({ ...facts, parts }, environment, cwd);
  const folder = join(placedFolder(root), createHash("sha256").update(ref).digest("hex"));
  makeDirectories(folder);
  // The copies are needed first: a push may find the session as soon as it is placed.
  const copies = Object.entries(files).map(([name, { bytes }], index) => {
    const shadow = join(folder, `${index}`);
    copyPart(streams.pathOf(facts, name), shadow, 0, bytes);
    return shadow;
  });
  const remove = await placeFiles({ ...places, move }, (open) => {
    for (const [index, part] of parts.entries()) {
      const { file } = openSource(copies[index] ?? "");
      using _closed = file;
      const sink = open(part);
      for (const piece of piecesOf(file, 0, files[part.name]?.bytes ?? 0)) sink?.write(piece);
      sink?.end?.();
    }
  });
  try {
    const known = readLedger(root).streams[ref];
    const own = parts.map(({ name, kind }, index): [string, OwnFile] => {
      const { generation, bytes } = files[name] ?? { generation: 1, bytes: 0 };
      const shadow = copies[index] ?? "";
      const common = { device, generation, bytes, crc: checksumAt(shadow, bytes) ?? 0 };
      const number = (known?.files[name]?.generation ?? 0) + 1;
      const copy = copyStateOf(places.paths[index] ?? "");
      const path = places.paths[index] ?? "";
      const own = {
        path,
        kind,
        generation: number,
        sent: bytes,
        common,
        waits: true,
        shadow,
      } as const;
      return [name, { ...own, ...copy }];
    });
    const { folder: agent_folder, cwd_folder } = places;
    const placed: OwnStream = present({
      ...{ facts, root: agent_folder, state: "", move, cwd_folder },
      files: Object.fromEntries(own),
    });
    replaceFile(join(folder, PLACED_FILE), [JSON.stringify({ ref, stream: placed })]);
  } catch (error) {
    remove();
    throw error;
  }
}

function copyStateOf(
  path: string,
): Pick<OwnFile, "bytes" | "crc" | "mark" | "mtime" | "ctime" | "ino" | "seen"> {
  const { file, info } = openSource(path);
  using _closed = file;
  const { size: bytes, mtime, ctime, ino } = stateOf(info);
  let crc = 0;
  for (const piece of piecesOf(file, 0, bytes)) crc = crc32(piece, crc);
  return { bytes, crc, mark: markBefore(file, bytes) ?? 0, mtime, ctime, ino, seen: Date.now() };
}
