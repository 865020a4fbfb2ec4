/** The place for the bytes of a branch. */
import type { SharedBranch } from "../team_store.ts";

/** A branch as it is pulled. */
export interface PulledBranch extends SharedBranch {
  /** True for a session of the user that no trusted machine signed: the user may accept it. */
  is_untrusted?: boolean;
}

/** What a sink did with a branch. */
export type Placed =
  /** The session itself is in the store of this machine. */
  | { kind: "adopted"; path: string; cwd: string; created_at: string }
  /** Its log got what followed. */
  | { kind: "extended"; path: string }
  /** It lies in the mirror. */
  | { kind: "mirrored"; path: string };

/** Takes the plain bytes of a branch, in their order. */
export interface Sink {
  /**
   * Takes the bytes of the next segment, which were checked.
   *
   * @throws {SessionError} Why they cannot be taken.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Puts all of it in its place, on the disk. */
  finish(branch: PulledBranch): Promise<Placed>;
  /** Lets go of everything. What was begun as a draft is gone. */
  close(): void;
}
