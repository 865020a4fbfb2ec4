/**
 * Sends lost bytes of the store again. One lost segment comes back as it was. If more are lost in a
 * row, the branch is cut back, and the push appends the rest.
 */
import { OPEN_HASHES } from "../branch_segments.ts";
import { LocalLog } from "../local_log.ts";
import type { SessionKey } from "../sealed/session_key.ts";
import { compress, packBytes } from "../segment_codec.ts";
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
 * @param shares The sessions of the added projects. @returns What was sent again, and what is lost.
 */
export async function restoreLost(
  shares: readonly SessionToShare[],
  means: SealMeans,
): Promise<StoreCheckReport> {
  const { store, state } = means;
  const byId = new Map(shares.map((share) => [share.id, share]));
  const keys = new Map<string, SessionKey | undefined>();
  const { lost, known: there, ...check } = await store.restore(async (gap, fits) => {
    const share = byId.get(gap.session);
    if (share === undefined || share.form === "copy") return undefined;
    if (share.form === "sealed" && !keys.has(share.id)) {
      const branches = await store.branches({ mine: true, sessions: [share.id] });
      const sealed = await withRecipients(share, means);
      keys.set(share.id, (await storedKey(sealed, branches, means))?.key);
    }
    return remade(share, gap, keys.get(share.id), fits);
  });
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
