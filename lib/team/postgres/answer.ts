/** The bounds and the shape of a server's answers: a hostile server keeps to neither. Pure. */
import { SessionError } from "../../event/session_error.ts";
import { MAX_STORED_BYTES } from "./schema.ts";

/** The most that one answer may hold. */
export interface AnswerBounds {
  rows: number;
  bytes: number;
}

/** What an answer may hold of JSON, in all its rows. */
export const MAX_JSON = { "bytes of JSON": 64 * 1024 * 1024 };
/** Columns of a row: no question of ours asks for as many. */
export const MAX_COLUMNS = 40;
/** An answer to a call of a function, which may tell of a thousand sessions. */
export const SHORT_ANSWER: AnswerBounds = { rows: 10_000, bytes: 4 * 1024 * 1024 };
/** A list: of about 500,000 sessions. */
export const LIST: AnswerBounds = { rows: 1_000_000, bytes: 256 * 1024 * 1024 };
/** A window of segments, or one that is the longest line: bytes come as hexadecimal. */
export const SEGMENTS: AnswerBounds = {
  rows: 100_000,
  bytes: 2 * MAX_STORED_BYTES + 16 * 1024 * 1024,
};

/** Throws where an answer has not the shape that was asked for. */
export function assertAnswer(has_shape: boolean): asserts has_shape {
  if (has_shape) return;
  const message = "Cannot use the team's store: it answers what no store of sessions does";
  throw new SessionError("damaged", message);
}
