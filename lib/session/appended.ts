/**
 * The safety of an appended event: held, written or synced.
 *
 * @module
 */

/**
 * The moment when `append` resolves: `boundary`, the kinds that end something are synced first;
 * `event`, each event is; `none`, none is.
 */
export type Durability = "boundary" | "event" | "none";

/** The result of an append. */
export type Appended =
  /** On the way to the disk: it survives the end of any process; `synced`, a power cut as well. */
  | { seq: number; state: "written" | "synced" }
  /** Kept in memory until an event comes that creates the session: no acknowledgement. */
  | { state: "held" };
