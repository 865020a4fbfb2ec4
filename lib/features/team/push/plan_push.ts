/** Plans what a session in the store lacks, and where it goes. Pure. */
import { type CommonSegments, type HashedSegment, NO_HEAD } from "../branch_segments.ts";
import type { SharedBranch } from "../team_store.ts";

export interface AppendPlace {
  n: number;
  len: number;
  head: string;
}

/** A log here: the size of its whole lines, and the parts that it shares with branches. */
export interface LogHere {
  kind: "log";
  size: number;
  parts: readonly CommonSegments[];
  /** The end of the last push; absent unless the branch ends there and the log continues it. */
  known?: AppendPlace | undefined;
}

/** A redacted copy of a local session, compared with the branch that it continues. */
export interface CopyHere {
  kind: "copy";
  /** This device's id. */
  device: string;
  /** The number of the branch that the copy continues; undefined if there is none. */
  n: number | undefined;
  /** The part that copy and branch have in common. */
  common: Pick<CommonSegments, "len" | "head" | "held_by">;
  /** True if the copy has nothing after the common part. */
  is_prefix: boolean;
}

/** A session's branches in the store. */
export interface SessionToPush {
  branches: readonly Pick<SharedBranch, "n" | "base" | "len" | "head" | "device">[];
}

export type PushPlan =
  /** The session has the whole branch. Any lines after the branch's end are appended. */
  | { kind: "append"; n: number; len: number; head: string }
  /** The branch contains the whole session and has more. */
  | { kind: "behind"; n: number }
  /** The session ends within a segment of the branch. The segment's bytes must be compared. */
  | { kind: "within"; n: number; head: string; segment: HashedSegment; else: PushPlan }
  /** Session and branch differ after the common part. A new branch begins there. */
  | { kind: "branch"; base: { n: number; len: number }; head: string }
  /** The copy differs from some byte on. Its branch, ending at `end`, is cut back to there. */
  | { kind: "rewind"; n: number; end: string; len: number; head: string };

export function planPush(here: LogHere | CopyHere, { branches }: SessionToPush): PushPlan {
  if (here.kind === "copy") return planCopy(here, branches);
  if (here.known !== undefined) return appendTo(here.known);
  return branches.length === 0 ? appendTo({ n: 1, len: 0, head: NO_HEAD }) : planLog(here);
}

function planLog({ parts, size }: LogHere): PushPlan {
  const longest = parts.toSorted((one, other) => other.len - one.len || one.n - other.n);
  const whole = longest.find(({ next }) => next === undefined);
  const [first] = longest;
  if (first?.len === size && whole?.len !== size) return { kind: "behind", n: first.n };
  if (whole?.len === size) return appendTo(whole);
  const base = { n: first?.held_by ?? 1, len: first?.len ?? 0 };
  const plan: PushPlan = whole === undefined
    ? { kind: "branch", base, head: first?.head ?? NO_HEAD }
    : appendTo(whole);
  return within(longest, size, plan);
}

function appendTo({ n, len, head }: AppendPlace): PushPlan {
  return { kind: "append", n, len, head };
}

function within(parts: readonly CommonSegments[], size: number, plan: PushPlan): PushPlan {
  return parts.reduceRight<PushPlan>((rest, { n, head, next }) => {
    if (next === undefined || next.off >= size || size >= next.off + next.len) return rest;
    return { kind: "within", n, head, segment: next, else: rest };
  }, plan);
}

/** Chooses the branch that a copy goes on with: this device's own, else the first. */
export function branchOfCopy<Branch extends Pick<SharedBranch, "n" | "device">>(
  branches: readonly Branch[],
  device: string,
): Branch | undefined {
  const sorted = branches.toSorted((one, other) => other.n - one.n);
  return sorted.find((branch) => branch.device.id === device) ?? sorted.at(-1);
}

function planCopy(here: CopyHere, branches: SessionToPush["branches"]): PushPlan {
  const { common: { len, head, held_by }, device, is_prefix } = here;
  const branch = branches.find(({ n }) => n === here.n);
  if (branch === undefined || len === branch.len) return appendTo({ n: here.n ?? 1, len, head });
  const { n } = branch;
  if (mayRewind(branch, len, device, branches)) {
    return { kind: "rewind", n, end: branch.head, len, head };
  }
  return is_prefix ? { kind: "behind", n } : { kind: "branch", base: { n: held_by, len }, head };
}

/** True if a copy may be cut back: by its own device, and not before another branch's start. */
function mayRewind(
  { n, device, base }: SessionToPush["branches"][number],
  to: number,
  own: string,
  branches: SessionToPush["branches"],
): boolean {
  return device.id === own && to >= (base?.len ?? 0) &&
    !branches.some((one) => one.base?.n === n && one.base.len > to);
}
