/**
 * The contract of a store that a team shares: sessions as streams of bytes, in branches that only
 * grow. PostgreSQL is one engine, and objects in a folder or a bucket are another.
 */

/**
 * The form in which a session is shared: `log` is the session itself, byte for byte; `copy` is what
 * `export --redact --format jsonl` writes; `sealed` is the log, encrypted.
 */
export type SharedForm = "log" | "copy" | "sealed";

/** The readers of a shared session: the members of its project, or its owner alone. */
export type SharedWith = "team" | "private";

export interface StoreGreeting {
  /** The store's own id: state of this machine is kept by it, never by the address. */
  id: string;
  /** The version of the store's schema. */
  version: number;
  /** The name under which this connection writes. */
  owner: string;
}

/** A data root that shares sessions. */
export interface Device {
  /** A UUID, made once for each data root. */
  id: string;
  /** A name for people: the host's name at first. */
  label: string;
}

/** The most branches that one session may have: more come from no honest devices. */
export const MAX_BRANCHES = 100;

/** The terms under which a session is shared. They never change while its bytes stay. */
export interface SharingTerms {
  /** The id of its project. */
  project: string;
  form: SharedForm;
  visible: SharedWith;
}

/** A session that is to be shared. */
export interface SessionClaim extends SharingTerms {
  /** The id of a Reprise log, or `<agent>:<id>` of another agent's session. */
  id: string;
  /** The data key of a sealed session: an age file for all recipients. */
  keys?: Uint8Array;
  /** The claim's own id, for a store that keeps it. */
  claim?: string;
  /** Deletes the bytes and marks of a session that is shared under other terms, and begins it anew. */
  replace?: boolean;
  /** Does the same where the terms are these already: the session gets another key. */
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
  /** The member who shares it. */
  owner: string;
  /** The shared session's id. */
  session: string;
  /** The branch's number, from 1. */
  n: number;
  /** The device that began it. */
  device: Device;
  /** The branch that it left, and behind how many bytes of it. Absent for the first. */
  base?: { n: number; len: number };
  /** Plain bytes, those before its base included. */
  len: number;
  /** The hash of the chain in lower-case hexadecimal: sha256(head before, sha256(plain bytes)); empty at 0. */
  head: string;
  /** ISO time of the store's clock. */
  changed_at: string;
  /** The data key of a sealed session: an age file. */
  keys?: Uint8Array;
  /** The id of the claim of a sealed session, in a store that keeps it. */
  claim?: string;
  /** The signature of the device that appended last. It vouches for all bytes before the end. */
  signed?: BranchSignature;
  /** True where more of it is announced than arrived, as in a folder whose files come in any order. */
  is_partial?: boolean;
}

/** The form of a segment's stored bytes: plain, compressed by zstd, or compressed and sealed. */
export type SegmentCodec = "plain" | "zstd" | "sealed";

/** Whole lines of a session, as the store has them. */
export interface Segment {
  /** The offset of its plain bytes. */
  off: number;
  /** Plain bytes. */
  len: number;
  /** sha256 of the plain bytes, lower-case hexadecimal. */
  sha: string;
  /** The chain's hash behind it. */
  head: string;
  codec: SegmentCodec;
  /** The branch's number for which they were sealed, where a store may number branches anew. */
  sealed_n?: number;
  /** The stored bytes: those of the whole block, where it is in one. */
  bytes: Uint8Array;
  /** The segments whose bytes are stored as one: its first plain byte, and all plain bytes. */
  block?: { off: number; len: number };
}

/** A list's row of a shared session: derived from its bytes, may be missing. */
export interface SharedSummary {
  /** The plain bytes that it speaks of. */
  len: number;
  /** The program and the reader that made it. */
  made_by: string;
  /** A summary without paths; `{"sealed": base64}` where the session is sealed. */
  row: Record<string, unknown>;
}

/** A segment of one of the owner's sessions, without its bytes. */
export interface SegmentHash extends Omit<Segment, "bytes" | "codec" | "sealed_n" | "block"> {
  /** The offset of the first segment of its block, where it is in one. */
  block?: number;
  /** The shared session's id. */
  session: string;
  /** The branch that holds it. */
  n: number;
}

/** Lines to put behind a branch, if it still ends where they begin, and is shared as expected. */
export interface SegmentToAppend
  extends Omit<Segment, "head" | "sealed_n" | "block">, SharingTerms {
  /** The shared session's id. */
  session: string;
  /** The branch that takes it. */
  n: number;
  /** The chain's hash before it. */
  prev: string;
  /** The session's new row; with its last segment alone. */
  summary?: SharedSummary;
  /** The signature of the branch as it ends behind these lines. */
  signed?: BranchSignature;
  /** The texts in these lines of a copy, for a store that searches. */
  text?: string;
}

/** Segments that follow each other, and their bytes as one. */
export interface SegmentFold extends Pick<Segment, "off" | "len" | "head" | "codec" | "bytes"> {
  /** The shared session's id. */
  session: string;
  /** The branch's number. */
  n: number;
}

/** `already`: the same bytes are there. `moved`: the branch ends elsewhere, or is another; ask again. */
type AppendStatus = "appended" | "already" | "moved";

export interface AppendOutcome {
  status: AppendStatus;
  /** Plain bytes of the branch now. */
  len: number;
  /** The chain's hash at the branch's end now. */
  head: string;
}

export interface SegmentRange {
  /** The member who shares it. */
  owner: string;
  /** The shared session's id. */
  session: string;
  /** The branch's number. */
  n: number;
  /** The first plain byte wanted. A segment that begins earlier is not given. */
  from: number;
  /** The end: a segment that begins here, or later, is not given. @default {the branch's end} */
  to?: number;
}

/** A title, a flag, tags or a note that a session of the owner was given. The latest wins. */
export interface SharedMark {
  /** The session's name among marks: an id, or `<agent>:<id>`. */
  ref: string;
  field: "title" | "archived" | "tags" | "pinned" | "note";
  /** A text, a flag, or a list of tags. */
  value: unknown;
  /** ISO time by the hybrid clock. */
  time: string;
  /** The id of the device that gave it. */
  device: string;
}

export interface BranchQuery {
  /** True for branches of the connected owner alone. @default {false} */
  mine?: boolean;
  /** Full ids of sessions. @default {all} */
  sessions?: readonly string[];
  /** Beginnings of ids: sessions with one of them. @default {all} */
  begins?: readonly string[];
  /** Changed at this time of the store's clock, or later. A store without a clock gives all. */
  since?: string;
  /** The id of a project. @default {all} */
  project?: string;
  /** The newest only, at most so many. */
  limit?: number;
}

/**
 * A connection to a team's store. Every method is one round trip unless it says otherwise. Errors are
 * `SessionError`s with one clear line: `unreachable` (no server, no answer), `permission` (password,
 * rights), `unsupported-version` (schema), `disk-full`, `not-found`, else `io`. A server whose answer is
 * beyond its bounds throws `too-large`, and one of another shape `damaged`.
 */
export interface TeamStore extends AsyncDisposable {
  /**
   * Says whose store this is. Refuses a schema that is older or newer, and another member's device. The
   * device is registered by the first write. The first question after it may be answered as of then.
   */
  hello(device: Device): Promise<StoreGreeting>;
  /** Branches that the owner may read, newest change first. */
  branches(query?: BranchQuery): Promise<SharedBranch[]>;
  /** Branches with the rows that lists show. */
  summaries(query?: BranchQuery): Promise<(SharedBranch & { summary?: SharedSummary })[]>;
  /**
   * Branches in whose summary, or in one part of whose redacted copy, words are; the newest first.
   * Absent in a store that does not search.
   *
   * @param words A query in the language of PostgreSQL's `to_tsquery`. @param limit At most so many.
   */
  find?(
    words: string,
    limit: number,
  ): Promise<(SharedBranch & { summary?: SharedSummary })[]>;
  /** Opens sessions for this device, and their first branches. */
  claim(claims: readonly SessionClaim[], device: string): Promise<Map<string, ClaimOutcome>>;
  /** Appends up to 4 MiB of segments in one commit; each is compared and appended by itself. */
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
  /** Cuts a copy back to a segment's end. False if it is no copy, or its head is another now. */
  rewind(session: string, n: number, head: string, to: number): Promise<boolean>;
  /**
   * Hashes of the segments of some of the owner's sessions, all branches, without bytes: to find the
   * last common one. Without the bases of branches, which are segments of other branches.
   */
  hashes(sessions: readonly string[]): Promise<SegmentHash[]>;
  /** Segments of many branches, in windows of about 4 MiB: one round trip each. */
  segments(ranges: readonly SegmentRange[]): AsyncIterable<(Segment & SegmentRange)[]>;
  /**
   * Stores the bytes of segments as one, which is shorter. Their hashes stay. False if they are no run
   * of whole segments, or stored as one already. Absent in a store that keeps each segment.
   */
  fold?(fold: SegmentFold): Promise<boolean>;
  /** Replaces the data key's file of a sealed session: for other recipients. */
  rekey(session: string, keys: Uint8Array): Promise<boolean>;
  /** Puts marks. @returns For each, whether it was the latest. */
  putMarks(marks: readonly SharedMark[]): Promise<boolean[]>;
  /** Marks of the owner that the store has seen behind a position. */
  marks(seen: number): Promise<{ marks: SharedMark[]; seen: number }>;
  /** Deletes a session's bytes and leaves a tombstone. False if it is not there. */
  withdraw(session: string): Promise<boolean>;
  /**
   * Deletes what this device sent of withdrawn sessions: it came after the withdrawal, or that was cut
   * off. Absent in a store whose withdrawal is one transaction.
   *
   * @returns The ids of these sessions.
   */
  deleteWithdrawn?(): Promise<string[]>;
}
