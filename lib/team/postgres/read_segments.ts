/** Reads segments of many branches in windows, one round trip each. */
import { SessionError } from "../../event/session_error.ts";
import type { Segment, SegmentCodec, SegmentRange } from "../team_store.ts";
import { assertAnswer, SEGMENTS } from "./answer.ts";
import type { Connection } from "./connect.ts";

/** Stored bytes of a window; one segment that is longer comes alone. */
const WINDOW_BYTES = 4 * 1024 * 1024;
/** Branches that one statement is asked for. */
const RANGES_A_STATEMENT = 200;

const WINDOW = `
with wanted as (
  select * from jsonb_to_recordset($1::jsonb)
    as w (i int, owner name, session text, n int, "from" bigint, "to" bigint)),
found as (
  select w.i, g.owner, g.session, g.n, g.off, g.len, g.sha, g.head, g.codec, g.bytes,
    sum(octet_length(g.bytes)) over (order by w.i, g.off) - octet_length(g.bytes) as before
  from wanted w join reprise.segment g
    on g.owner = w.owner and g.session = w.session and g.n = w.n
    and g.off >= w."from" and (w."to" is null or g.off < w."to"))
select i, off, len, encode(sha, 'hex') as sha, encode(head, 'hex') as head, codec, bytes
from found where before < $2 order by i, off`;

interface SegmentRow {
  i: number;
  off: string;
  len: number;
  sha: string;
  head: string;
  codec: number;
  bytes: Uint8Array;
}

/** Gives windows of segments, in the order of the ranges. */
export async function* readSegments(
  connection: Connection,
  ranges: readonly SegmentRange[],
): AsyncGenerator<(Segment & SegmentRange)[], void, undefined> {
  for (let begin = 0; begin < ranges.length; begin += RANGES_A_STATEMENT) {
    let left = ranges.slice(begin, begin + RANGES_A_STATEMENT);
    while (left.length > 0) {
      const wanted = left.map((range, i) => ({ ...range, i }));
      const values = [JSON.stringify(wanted), WINDOW_BYTES];
      const rows = await connection.rows<SegmentRow>(
        "read shared sessions",
        WINDOW,
        values,
        SEGMENTS,
      );
      const last = rows.at(-1);
      if (last === undefined) break;
      const asked = left[last.i];
      // Each window is behind the one before, or a server could give windows for ever.
      assertAnswer(asked !== undefined && last.len > 0 && Number(last.off) >= asked.from);
      yield rows.map((row) => toSegment(row, left[row.i]));
      left = left.slice(last.i);
      const [first] = left;
      if (first !== undefined) left[0] = { ...first, from: Number(last.off) + last.len };
    }
  }
}

function toSegment(row: SegmentRow, range: SegmentRange | undefined): Segment & SegmentRange {
  assertAnswer(range !== undefined && row.bytes instanceof Uint8Array);
  const codec = CODECS[row.codec];
  if (codec === undefined) {
    const message = `Cannot read segment: this program does not know its codec ${row.codec}`;
    throw new SessionError("unsupported-version", message);
  }
  return {
    ...range,
    off: Number(row.off),
    len: row.len,
    sha: row.sha,
    head: row.head,
    codec,
    bytes: row.bytes,
  };
}

/** The forms, each at its number. */
export const CODECS: readonly SegmentCodec[] = ["plain", "zstd", "sealed"];
