/**
 * Joins the entries of an owner's devices to one view of a session. Two devices may append behind the
 * same place without a lock. Then the view has a branch for each end. Pure.
 */
import { Buffer } from "node:buffer";
import { present } from "../../../core/event/present.ts";
import type { Device, SharedBranch, SharedSummary } from "../team_store.ts";
import type { DeviceBranch, HeadEntry } from "./head_document.ts";
import { haveSameReaders, type KeyReaders } from "./object_keys.ts";

/** A session's entry, and the device whose head has it. */
export interface DeviceEntry extends HeadEntry, KeyReaders {
  owner: string;
  device: Device;
}

/** Bytes that a device put behind the end of a branch. */
export interface BranchPiece extends DeviceBranch {
  device: Device;
}

/** Returns an entry in the form in which a head contains it. */
export function writtenEntry(
  { owner: _owner, project: _project, visible: _visible, device: _device, ...entry }: DeviceEntry,
): HeadEntry {
  return entry;
}

/** A branch with its pieces. Bytes before its base belong to another branch. */
export interface ViewBranch extends SharedBranch {
  pieces: BranchPiece[];
  summary?: SharedSummary;
}

/** A session, as all devices of its owner share it. */
export interface SessionView {
  session: string;
  /** The entry whose claim is valid. */
  terms: DeviceEntry;
  /** True if a device has withdrawn the session. It then has no branches. */
  is_withdrawn: boolean;
  branches: ViewBranch[];
  /** The entries from which the view was made. */
  entries: readonly DeviceEntry[];
}

/** Returns the end of a device's branch as far as it arrived; undefined if all is there. */
export type Arrived = (
  entry: DeviceEntry,
  branch: DeviceBranch,
) => { len: number; head: string } | undefined;

/**
 * Puts the entries of one session together. The same entries give the same view in any order.
 *
 * @param arrived Tells what arrived of a branch. @default {all of it}
 */
export function sessionView(
  entries: readonly DeviceEntry[],
  arrived: Arrived = () => undefined,
): SessionView | undefined {
  const terms = entries.toSorted(byClaim)[0];
  if (terms === undefined) return undefined;
  const { session } = terms;
  const is_withdrawn = entries.some(({ withdrawn_at }) => withdrawn_at !== undefined);
  if (is_withdrawn) return { session, terms, is_withdrawn, entries, branches: [] };
  const valid = entries.filter((entry) => isSameClaim(entry, terms));
  const keys = latestKeys(valid);
  const pieces = valid.flatMap((entry) =>
    entry.branches.map((branch): BranchPiece & { is_partial: boolean } => {
      const end = arrived(entry, branch);
      const piece = { ...branch, device: entry.device, is_partial: end !== undefined };
      if (end === undefined) return piece;
      const { signed: _signed, summary: _summary, ...rest } = piece;
      return { ...rest, ...end };
    })
  );
  const { owner, project, form } = terms;
  const claim = form === "sealed" ? terms.claim.id : undefined;
  const fields = { owner, session, project, form, claim, epoch: terms.claim.epoch };
  const branches = joined(pieces).map(({ pieces, base }, index): ViewBranch => {
    const [first, last] = [
      pieces[0] as BranchPiece,
      pieces.at(-1) as BranchPiece & { is_partial: boolean },
    ];
    return present({
      ...{ ...fields, n: index + 1, visible: terms.visible, device: first.device, base, keys },
      ...{ len: last.len, head: last.head, changed_at: last.changed_at, signed: last.signed },
      summary: longestSummary(pieces),
      ended_by: last.device,
      is_partial: last.is_partial || undefined,
      pieces,
    });
  });
  return { session, terms, is_withdrawn, entries, branches };
}

function byClaim({ claim: one }: DeviceEntry, { claim: other }: DeviceEntry): number {
  return other.epoch - one.epoch || compareTexts(one.at, other.at) ||
    compareTexts(one.id, other.id);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** True for an entry of the valid claim. Sealed: by its id too, as each claim has its own key. */
function isSameClaim(entry: DeviceEntry, terms: DeviceEntry): boolean {
  return entry.claim.epoch === terms.claim.epoch && haveSameReaders(entry, terms) &&
    entry.form === terms.form &&
    (entry.form !== "sealed" || entry.claim.id === terms.claim.id);
}

function latestKeys(entries: readonly DeviceEntry[]): Uint8Array | undefined {
  const wrapped = entries.flatMap(({ keys }) => keys ?? []);
  const latest =
    wrapped.sort((one, other) =>
      compareTexts(other.at, one.at) || compareTexts(one.age, other.age)
    )[0];
  return latest && Uint8Array.from(Buffer.from(latest.age, "base64"));
}

function longestSummary(pieces: readonly BranchPiece[]): SharedSummary | undefined {
  return pieces.findLast(({ summary }) => summary !== undefined)?.summary;
}

interface Joined<Some extends BranchPiece> {
  base?: { n: number; len: number };
  pieces: Some[];
}

/** Joins pieces into branches. One that begins before another's end begins a new branch. */
function joined<Some extends BranchPiece>(pieces: readonly Some[]): Joined<Some>[] {
  const branches: Joined<Some>[] = [];
  const holder = new Map<string, { n: number; len: number }>();
  let left = pieces.toSorted((one, other) =>
    compareTexts(one.began_at, other.began_at) || compareTexts(one.device.id, other.device.id) ||
    one.i - other.i
  );
  for (let before = -1; left.length !== before;) {
    before = left.length;
    // What it begins behind may have begun later, by another clock.
    left = left.filter((piece) => {
      const { base, device, i, len, head } = piece;
      const held = base && holder.get(pieceKey(base.device, base.i));
      // Its base has not arrived, or was cut back.
      if (base !== undefined && (held === undefined || held.len < base.len)) return true;
      const below = held && branches[held.n - 1];
      const end = below?.pieces.at(-1);
      const same = branches.findIndex(({ pieces: some }) =>
        len > (base?.len ?? 0) && some.at(-1)?.len === len && some.at(-1)?.head === head
      );
      let n = branches.length + 1;
      if (end?.device.id === base?.device && end?.i === base?.i && end?.len === base?.len && held) {
        n = held.n;
        below?.pieces.push(piece);
      } else if (same >= 0) n = same + 1;
      else {branches.push(
          present({ base: held && base && { n: held.n, len: base.len }, pieces: [piece] }),
        );}
      holder.set(pieceKey(device.id, i), { n, len });
      return false;
    });
  }
  return branches;
}

function pieceKey(device: string, i: number): string {
  return `${device} ${i}`;
}
