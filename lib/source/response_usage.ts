/**
 * What one response of a model took, as its agent recorded it.
 *
 * @module
 */
import type { TokenUsage } from "../event/payload.ts";

/** The tokens of one response of a model. */
export interface ResponseUsage {
  /**
   * Names the response among the responses of all files of all sessions: the provider's message id and
   * request id. The last record of a key counts. Absent where the agent keeps no ids: then the record
   * counts by itself.
   */
  key?: string;
  /** ISO 8601 in UTC; absent where the record has no time. */
  time?: string;
  /** The model's name; empty where it was not recorded. */
  model: string;
  /** The id of the thread that the response belongs to; absent for the main one. */
  thread?: string;
  /** `input` never includes what came from a cache or was written to one. */
  usage: TokenUsage;
  /** US dollars, where the agent recorded them. */
  cost_usd?: number;
}
