/**
 * The contract of a store that a team shares: sessions as streams of bytes, in branches that only
 * grow. Its engine keeps them as objects in a folder, a bucket or a database.
 */

/**
 * The form in which a session is shared: `log` is the session itself, byte for byte; `copy` is what
 * `export --redact --format jsonl` writes; `sealed` is the log, encrypted.
 */
export type SharedForm = "log" | "copy" | "sealed";

/** The readers of a shared session: the members of its project, or its owner alone. */
export type SharedWith = "team" | "private";

export interface StoreGreeting {
  /** The store's own id. Local state is filed by this id, not by the address. */
  id: string;
  /** The version of the store's schema. */
  version: number;
  /** The member name of this connection. */
  owner: string;
}

/** A data root that shares sessions, as the store knows it. */
export interface Device {
  /** A UUID, made once for each data root. */
  id: string;
  /** A name for people: the host's name at first. */
  label: string;
}

/** The most branches of one session. Honest devices do not make more. */
export const MAX_BRANCHES = 100;

/** The terms under which a session is shared. They do not change while the store has its bytes. */
export interface SharingTerms {
  /** The id of the session's project. */
  project: string;
  form: SharedForm;
  visible: SharedWith;
}

/** A request to share a session. */
export interface SessionClaim extends SharingTerms {
  /** The id of a Reprise log, or `<agent>:<id>` of another agent's session. */
  id: string;
  /** The data key of a sealed session: an age file for all recipients. */
  keys?: Uint8Array;
  /** The claim's own id; absent in a store that does not keep it. */
  claim?: string;
  /** True to delete the bytes and marks of a session with other terms, and share it again. */
  replace?: boolean;
  /** True to do as `replace` does although the terms are the same. The session gets another key. */
  anew?: true;
}

/**
 * The outcome of a claim. `withdrawn`: the session is never shared again. `other-terms`: it is shared
 * under other terms, which stay.
 */
export type ClaimOutcome = "open" | "withdrawn" | "other-terms";

/** A device's signature of a branch up to its end. */
export interface BranchSignature {
  /** The public Ed25519 key of the device, in lower-case hexadecimal. */
  by: string;
  /** 64 bytes in lower-case hexadecimal. */
  signature: string;
}

/** One branch of a shared session. Its bytes never change; it only grows. */
export interface SharedBranch extends SharingTerms {
  /** The member who shares the session. */
  owner: string;
  /** The shared session's id. */
  session: string;
  /** The branch's number, from 1. */
  n: number;
  /** The device that began the branch. */
  device: Device;
  /** The device that wrote the branch's end; absent if the store does not tell. */
  ended_by?: Device;
  /** The branch in which this one begins, and after how many bytes; absent for the first. */
  base?: { n: number; len: number };
  /** Number of plain bytes, including those before the base. */
  len: number;
  /** The hash of the chain in lower-case hexadecimal: sha256(head before, hash of the plain bytes); empty at 0. */
  head: string;
  /** ISO time of the last change, by the store's clock. */
  changed_at: string;
  /** The data key of a sealed session: an age file. */
  keys?: Uint8Array;
  /** The id of a sealed session's claim; absent in a store that does not keep it. */
  claim?: string;
  /** The number of times that the session was replaced, as the store counts; absent if unknown. */
  epoch?: number;
  /** The signature of the last device that appended. It covers all bytes up to the end. */
  signed?: BranchSignature;
  /** True if announced bytes have not arrived, as in a folder that is synced file by file. */
  is_partial?: boolean;
}

/** The form of a segment's stored bytes: plain, compressed by zstd, or compressed and sealed. */
export type SegmentCodec = "plain" | "zstd" | "sealed";

/** Whole lines of a session, as the store has them. */
export interface Segment {
  /** The offset of the first plain byte in the session. */
  off: number;
  /** Number of plain bytes. */
  len: number;
  /** The hash of the plain bytes, in lower-case hexadecimal; of a sealed segment with a key. */
  sha: string;
  /** The hash of the chain after the segment. */
  head: string;
  codec: SegmentCodec;
  /** The branch's number at sealing; absent unless a store may renumber branches. */
  sealed_n?: number;
  /** The stored bytes. */
  bytes: Uint8Array;
}

/** A shared session's row in lists. Derived from the session's bytes; may be missing. */
export interface SharedSummary {
  /** Number of plain bytes that the row summarizes. */
  len: number;
  /** The program and the reader that made the row. */
  made_by: string;
  /** A summary without paths; `{"sealed": base64}` where the session is sealed. */
  row: Record<string, unknown>;
}

/** A segment, without its bytes, of a session of the connected member. */
export interface SegmentHash extends Omit<Segment, "bytes" | "codec" | "sealed_n"> {
  /** The shared session's id. */
  session: string;
  /** The number of the branch that has the segment. */
  n: number;
}

/** Lines to append to a branch if its end and terms are still as expected. */
export interface SegmentToAppend extends Omit<Segment, "head" | "sealed_n">, SharingTerms {
  /** The shared session's id. */
  session: string;
  /** The number of the branch to append to. */
  n: number;
  /** The hash of the chain before the segment. */
  prev: string;
  /** The session's new row. Only the last segment of a push has it. */
  summary?: SharedSummary;
  /** The signature of the branch up to the end of these lines. */
  signed?: BranchSignature;
}

/** Bytes that this device sent, and that the store no longer has. */
export interface LostBytes {
  /** The shared session's id. */
  session: string;
  /** The branch's number. */
  n: number;
  from: number;
  to: number;
  /** The hash of the chain before the lost bytes. */
  head: string;
}

/** A lost segment, made again. */
export type RemadeSegment = Pick<Segment, "sha" | "codec" | "bytes">;

/** The result of a comparison of this device's branches with the stored segments. */
export interface StoredCheck {
  /** Number of sessions of this device. */
  sessions: number;
  /** Number of segments that were stored again: lost ones and changed ones. */
  restored: number;
  /** Ids of all sessions of the user that have a branch in the store. */
  known: ReadonlySet<string>;
  /** Lost bytes that could not be made again. */
  lost: LostBytes[];
}

/** Bytes of a connection: of segments, heads, pages and marks. */
export interface Traffic {
  sent_bytes: number;
  received_bytes: number;
}

/** `already`: the store has these bytes. `moved`: the branch changed, so ask again. */
type AppendStatus = "appended" | "already" | "moved";

export interface AppendOutcome {
  status: AppendStatus;
  /** Plain bytes of the branch now. */
  len: number;
  /** The hash of the chain at the branch's current end. */
  head: string;
}

export interface SegmentRange {
  /** The member who shares the session. */
  owner: string;
  /** The shared session's id. */
  session: string;
  /** The branch's number. */
  n: number;
  /** The offset of the first wanted byte. Segments that begin before it are left out. */
  from: number;
  /** The end offset. Segments from there on are left out. @default {the branch's end} */
  to?: number;
}

/** A title, flag, tags or note of one of the owner's sessions. The latest value wins. */
export interface SharedMark {
  /** The session's name among marks: an id, or `<agent>:<id>`. */
  ref: string;
  field: "title" | "archived" | "tags" | "pinned" | "note";
  /** A text, a flag, or a list of tags. */
  value: unknown;
  /** ISO time by the hybrid clock. */
  time: string;
  /** The id of the device that made the mark. */
  device: string;
}

export interface BranchQuery {
  /** True for only the branches of the connected member. @default {false} */
  mine?: boolean;
  /** Full ids of sessions. @default {all} */
  sessions?: readonly string[];
  /** Beginnings of session ids, of which one must match. @default {all} */
  begins?: readonly string[];
  /** The id of a project. @default {all} */
  project?: string;
  /** The most branches to return, newest first. */
  limit?: number;
}

/**
 * A connection to a team's store. Every method is one round trip unless it says otherwise. Errors are
 * `SessionError`s with one clear line: `unreachable` (no server, no answer), `permission` (password,
 * rights), `unsupported-version` (schema), `disk-full`, `not-found`, else `io`. A server whose answer is
 * beyond its bounds throws `too-large`, and one of another shape `damaged`.
 */
export interface TeamStore extends AsyncDisposable {
  /** Bytes that this connection sent and received so far. */
  readonly traffic: Traffic;
  /**
   * Says whose store this is. Refuses a schema that is older or newer, and another member's device. The
   * device is registered by the first write. The first question after it may be answered as of then.
   */
  hello(device: Device): Promise<StoreGreeting>;
  /** Returns the branches that the connected member may read, newest change first. */
  branches(query?: BranchQuery): Promise<SharedBranch[]>;
  /** Returns branches with their sessions' rows for lists. */
  summaries(query?: BranchQuery): Promise<(SharedBranch & { summary?: SharedSummary })[]>;
  /** Claims sessions for this device, which also opens their first branches. */
  claim(claims: readonly SessionClaim[], device: string): Promise<Map<string, ClaimOutcome>>;
  /** Appends up to 4 MiB of segments in one commit. Each has its own check and outcome. */
  append(segments: readonly SegmentToAppend[]): Promise<AppendOutcome[]>;
  /**
   * Begins a branch behind a common segment.
   *
   * @param known The highest branch that the caller has seen. @returns Its number; undefined if there
   * is a branch that the caller has not seen.
   */
  branch(
    session: string,
    known: number,
    device: string,
    base: { n: number; len: number },
  ): Promise<number | undefined>;
  /** Cuts a copy back to a segment's end. Returns false if no copy, or if its head changed. */
  rewind(session: string, n: number, head: string, to: number): Promise<boolean>;
  /**
   * Returns the hashes of all segments of some of the connected member's sessions, to find the last
   * common one. Each branch lists only its own segments, not those of its base.
   */
  hashes(sessions: readonly string[]): Promise<SegmentHash[]>;
  /** Yields segments of many branches in windows of about 4 MiB, with one round trip each. */
  segments(ranges: readonly SegmentRange[]): AsyncIterable<(Segment & SegmentRange)[]>;
  /**
   * Compares this device's branches with the stored segments, and stores lost ones again.
   *
   * @param remake Makes a lost segment from the local session; undefined if that is impossible. Of a
   * segment's hashes one alone fits its place.
   * @param isIntact Tells whether a stored segment has the bytes that were sent. All are read for it.
   * Without it, only missing segments are found. `head` is the chain's head before the segment.
   */
  restore(
    remake: (
      lost: LostBytes,
      fits: (sha: string) => boolean,
    ) => Promise<RemadeSegment | undefined>,
    isIntact?: (
      stored: Segment & Pick<SegmentRange, "session" | "n">,
      head: string,
    ) => Promise<boolean>,
  ): Promise<StoredCheck>;
  /** Cuts a branch of this device back to where lost bytes begin. False if others went on behind. */
  cutLost(lost: LostBytes): Promise<boolean>;
  /** Replaces the age file that holds a sealed session's data key, for other recipients. */
  rekey(session: string, keys: Uint8Array): Promise<boolean>;
  /** Puts marks. @returns For each, whether it was the latest. */
  putMarks(marks: readonly SharedMark[]): Promise<boolean[]>;
  /** Returns the connected member's marks after a position, and the new position. */
  marks(seen: number): Promise<{ marks: SharedMark[]; seen: number }>;
  /** Deletes a session's bytes and leaves a tombstone. False if the session is not there. */
  withdraw(session: string): Promise<boolean>;
  /**
   * Deletes what this device sent of withdrawn sessions: it came after the withdrawal, or that was cut
   * off.
   *
   * @returns The ids of these sessions.
   */
  deleteWithdrawn(): Promise<string[]>;
}
