/** The news of a watch. */
import type { GenerationEnd } from "../library/kept/kept_manifest.ts";

/** A session was kept. */
export interface KeptNews {
  /** `kept`: bytes were added, or a generation began. `gone`: its agent has it no longer. */
  status: "kept" | "gone";
  /** Names the session. */
  ref: string;
  /** Bytes that were added. */
  added: number;
  /** The generation that they were added to. */
  generation: number;
  /** Why the generation began just now: `first` where nothing was kept before. */
  began?: "first" | GenerationEnd;
  /** Absolute path of the copy of its own file; of the log for a session in a database. */
  path: string;
  /** The id of the import that was made of a session in a database. */
  session_id?: string;
}

/** Something could not be done; it is tried again. */
export interface TroubleNews {
  /** Tells it from other news. */
  status: "trouble";
  /** Names the session; absent where it is about no single one. */
  ref?: string;
  /** The failure, and what to do. */
  error: string;
}

/** All that was there when the watch began is kept. */
export interface CaughtUpNews {
  /** Tells it from other news. */
  status: "caught-up";
  /** Number of sessions that are watched. */
  sessions: number;
  /** Bytes that were added since the watch began. */
  added: number;
}

/** The news of a watch, one at a time. */
export type WatchNews = KeptNews | TroubleNews | CaughtUpNews;
