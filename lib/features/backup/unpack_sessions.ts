/** Decompresses sessions that Reprise compressed in place. */
import { createHash } from "node:crypto";
import type { AgentName } from "../../core/event/agent_name.ts";
import { isThere } from "../../core/file/presence.ts";
import { removeQuietly } from "../../core/file/remove_quietly.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { writeWhole } from "../../core/log/write_whole.ts";
import { linkSync, lstatSync, openSync, removeSync } from "../../core/platform/files.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import {
  freshDraft,
  giveTimes,
  loadPacking,
  type PackedSession,
  type PackOptions,
} from "./pack_sessions.ts";
import { type PackedInPlace, readPackedRecord } from "./packed_record.ts";
import { readZstd } from "./zstd_file.ts";

/**
 * Decompresses an agent's sessions that Reprise has recorded as compressed. Skips sessions that the
 * agent itself decompressed, or that no longer exist.
 *
 * @throws {SessionError} `permission`, `disk-full`, `io`; the session is then as it was.
 */
export async function* unpackSessions(
  agent: AgentName,
  { root, dry }: Pick<PackOptions, "root" | "dry">,
): AsyncGenerator<PackedSession> {
  await loadPacking(agent);
  for (const packed of readPackedRecord(root, agent)) {
    const { id, path: plain, suffix } = packed;
    const path = `${plain}${suffix}`;
    if (isThere(plain) || !isThere(path)) continue;
    const session = { ref: sessionRef({ agent, id }), path, bytes: lstatSync(path).size };
    try {
      yield { ...session, ...await unpackOne(path, packed, dry) };
    } catch (error) {
      throw toSessionError(error, "unpack session", path);
    }
  }
}

async function unpackOne(
  path: string,
  { path: plain, sha256, packed_bytes }: PackedInPlace,
  dry: boolean,
): Promise<Pick<PackedSession, "status" | "after_bytes" | "reason">> {
  const made = freshDraft(plain);
  try {
    const { bytes, sha256: found } = await unpackInto(path, dry ? undefined : made);
    // A decoder may read no further than the first frame.
    if (found !== sha256 || lstatSync(path).size !== packed_bytes) {
      return {
        status: "left",
        reason: "the compressed file has changed since Reprise compressed it",
      };
    }
    if (dry) return { status: "would-unpack", after_bytes: bytes };
    giveTimes(made, lstatSync(path));
    linkSync(made, plain);
    removeSync(path);
    return { status: "unpacked", after_bytes: bytes };
  } finally {
    removeQuietly(made);
  }
}

async function unpackInto(
  path: string,
  made: string | undefined,
): Promise<{ bytes: number; sha256: string }> {
  using file = made === undefined
    ? undefined
    : openSync(made, { write: true, createNew: true, mode: 0o600 });
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of readZstd(path)) {
    hash.update(piece);
    if (file !== undefined) writeWhole(file, piece);
    bytes += piece.length;
  }
  file?.syncSync();
  return { bytes, sha256: hash.digest("hex") };
}
