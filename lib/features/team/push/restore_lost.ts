/**
 * Sends lost bytes of the store again. One lost segment comes back as it was. If more are lost in a
 * row, the branch is cut back, and the push appends the rest.
 */
import { SessionError } from "../../../core/event/session_error.ts";
import { OPEN_HASHES } from "../branch_segments.ts";
import { LocalLog } from "../local_log.ts";
import type { SessionKey } from "../sealed/session_key.ts";
import { checkedBytes, compress, packBytes } from "../segment_codec.ts";
import type { SessionToShare } from "../sessions_to_share.ts";
import type { StoreCheckReport } from "../sync_report.ts";
import type { LostBytes, RemadeSegment } from "../team_store.ts";
import { endHash } from "./compare_log.ts";
import { isShared, knownSession } from "./known_sessions.ts";
import { withRecipients } from "./recipients.ts";
import { type SealMeans, storedKey } from "./sealing_key.ts";

/**
 * Compares what this machine sent with what the store has.
 *
 * @param shares The sessions of the added projects. @param reads_all True to read each stored byte.
 * @returns The parts that were sent again, and those that are lost.
 */
export async function restoreLost(
  shares: readonly SessionToShare[],
  means: SealMeans,
  reads_all: boolean,
): Promise<StoreCheckReport> {
  const { store, state } = means;
  const byId = new Map(shares.map((share) => [share.id, share]));
  const keys = new Map<string, SessionKey | undefined>();
  const keyOf = async (share: SessionToShare): Promise<SessionKey | undefined> => {
    if (share.form === "sealed" && !keys.has(share.id)) {
      const branches = await store.branches({ mine: true, sessions: [share.id] });
      const sealed = await withRecipients(share, means);
      keys.set(share.id, (await storedKey(sealed, branches, means))?.key);
    }
    return keys.get(share.id);
  };
  const { lost, known: there, ...check } = await store.restore(
    async (gap, fits) => {
      const share = byId.get(gap.session);
      if (share === undefined || share.form === "copy") return undefined;
      return remade(share, gap, await keyOf(share), fits);
    },
    reads_all
      ? async (stored, head) => {
        const share = byId.get(stored.session);
        const key = share && await keyOf(share);
        // Nobody here can open it.
        if (stored.codec === "sealed" && key === undefined) return true;
        return isAsSent(stored, head, key);
      }
      : undefined,
  );
  const report: StoreCheckReport = { ...check, cut: [], lost: [] };
  for (const gap of lost) {
    const share = byId.get(gap.session);
    if (share !== undefined && isWholeHere(share, means) && await store.cutLost(gap)) {
      const known = knownSession(state, share.id);
      if (known !== undefined) known.state = [];
      report.cut.push(share.id);
    } else report.lost.push({ session: gap.session, message: lostText(gap) });
  }
  for (const { id } of shares) {
    const known = knownSession(state, id);
    if (!isShared(known) || known.len === 0 || there.has(id)) continue;
    // The store lost what says that it has the session.
    known.state = [];
    report.cut.push(id);
  }
  return report;
}

function isAsSent(
  stored: Parameters<typeof checkedBytes>[0],
  head: string,
  key: SessionKey | undefined,
): boolean {
  try {
    checkedBytes(stored, head, key);
    return true;
  } catch (error) {
    if (error instanceof SessionError && error.code === "damaged") return false;
    throw error;
  }
}

function lostText({ from, to }: LostBytes): string {
  return `the store lost bytes ${from} to ${to} of this session. This machine cannot send them ` +
    "again: it no longer has the session or its project, or another machine has added to it since";
}

function remade(
  { session: { path }, form }: SessionToShare,
  { n, from, to }: LostBytes,
  key: SessionKey | undefined,
  fits: (sha: string) => boolean,
): RemadeSegment | undefined {
  if (form === "sealed" && key === undefined) return undefined;
  using log = new LocalLog(path);
  if (log.size < to) return undefined;
  const bytes = log.read(from, to - from);
  const packed = key === undefined
    ? packBytes(bytes)
    : { codec: "sealed" as const, bytes: key.sealSegment(compress(bytes), n, from) };
  const sha = (key ?? OPEN_HASHES).hashes(bytes).find(fits);
  return sha === undefined ? undefined : { sha, ...packed };
}

/** True if the session here has all that was sent of it. A copy can always be made again. */
function isWholeHere(
  { id, form, session: { path } }: SessionToShare,
  { state }: SealMeans,
): boolean {
  if (form === "copy") return true;
  const known = knownSession(state, id);
  using log = new LocalLog(path);
  return known === undefined ||
    log.size >= known.len && known.end === endHash(log, known.len);
}
