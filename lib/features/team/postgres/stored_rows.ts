/** Reads branches of shared sessions, with or without the rows that lists show, and their segments. */
import { isDeeperThan, MAX_DEPTH } from "../../../core/event/decode.ts";
import { isObject } from "../../../core/event/guard.ts";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import type {
  Segment,
  SegmentCodec,
  SegmentRange,
  SharedBranch,
  SharedForm,
  SharedSummary,
  SharedWith,
} from "../team_store.ts";
import { assertAnswer, SEGMENTS } from "./answer.ts";
import type { Connection } from "./connect.ts";

/** A row of a query for branches. Numbers beyond 32 bits are text. */
export interface BranchRow {
  owner: string;
  session: string;
  n: number;
  project: string;
  form: SharedForm;
  visible: SharedWith;
  device: string;
  label: string;
  base_n: number | null;
  base_len: string;
  len: string;
  head: string;
  changed_at: string;
  keys: Uint8Array | null;
  signer: string | null;
  signature: string | null;
  row_len?: string | null;
  made_by?: string | null;
  row?: Record<string, unknown> | null;
  page_owner?: string;
  page_id?: string;
  page_time?: string;
}

/**
 * Returns the branch that a row tells.
 *
 * @throws {SessionError} `damaged` for a row that no honest store gives.
 */
export function toBranch(row: BranchRow): SharedBranch {
  const texts = [row.owner, row.session, row.project, row.device, row.label, row.changed_at];
  assertAnswer(
    [...texts, row.head].every((one) => typeof one === "string") && Number.isInteger(row.n) &&
      FORMS.has(row.form) && READERS.has(row.visible) && isLength(row.len) &&
      isLength(row.base_len),
  );
  return present({
    owner: row.owner,
    session: row.session,
    n: row.n,
    project: row.project,
    form: row.form,
    visible: row.visible,
    device: { id: row.device, label: row.label },
    base: row.base_n === null ? undefined : { n: row.base_n, len: Number(row.base_len) },
    len: Number(row.len),
    head: row.head,
    changed_at: row.changed_at,
    keys: row.keys === null ? undefined : Uint8Array.from(row.keys),
    signed: row.signer === null || row.signature === null
      ? undefined
      : { by: row.signer, signature: row.signature },
  });
}

const FORMS: ReadonlySet<string> = new Set<SharedForm>(["copy", "log", "sealed"]);
const READERS: ReadonlySet<string> = new Set<SharedWith>(["team", "private"]);

function isLength(value: unknown): boolean {
  return Number.isSafeInteger(Number(value)) && Number(value) >= 0;
}

/** Returns the session's summary in a branch's row; absent if missing or nested too deeply. */
export function toSummary({ row_len, made_by, row }: BranchRow): { summary?: SharedSummary } {
  // One that nests deeper can be neither shown nor written.
  if (!isObject(row) || isDeeperThan(row, MAX_DEPTH)) return {};
  return { summary: { len: Number(row_len), made_by: made_by ?? "", row } };
}

/** The most stored bytes of a window. A longer segment has a window of its own. */
const WINDOW_BYTES = 4 * 1024 * 1024;
/** The most branches in one statement. */
const RANGES_A_STATEMENT = 200;

const WINDOW = "select * from reprise.read_segments($1::jsonb, $2::bigint)";

interface SegmentRow {
  i: number;
  off: string;
  len: number;
  sha: string;
  head: string;
  codec: number;
  block: string | null;
  block_len: number | null;
  bytes: Uint8Array | null;
}

/** Yields windows of segments, in the order of the ranges. Each window takes one round trip. */
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
      yield toSegments(rows, left);
      left = left.slice(last.i);
      const [first] = left;
      if (first !== undefined) left[0] = { ...first, from: Number(last.off) + last.len };
    }
  }
}

/** Returns the rows' segments. One within a block gets the bytes of the block's first row. */
function toSegments(
  rows: readonly SegmentRow[],
  ranges: readonly SegmentRange[],
): (Segment & SegmentRange)[] {
  let first: SegmentRow | undefined;
  return rows.map((row) => {
    if (row.bytes !== null) first = row;
    const is_same = first?.i === row.i && first.block === row.block;
    const bytes = row.bytes ?? (is_same ? first?.bytes : undefined);
    const range = ranges[row.i];
    assertAnswer(range !== undefined && bytes instanceof Uint8Array);
    return present({ ...range, ...toSegment(row, bytes) });
  });
}

function toSegment(
  { off, len, sha, head, codec: number, block, block_len }: SegmentRow,
  bytes: Uint8Array,
): Segment {
  const codec = CODECS[number];
  if (codec === undefined) {
    const message =
      "Cannot read shared session: this version of Reprise does not know its compression format " +
      `(number ${number}); update Reprise`;
    throw new SessionError("unsupported-version", message);
  }
  const known = block === null ? undefined : { off: Number(block), len: block_len ?? 0 };
  return present({ off: Number(off), len, sha, head, codec, bytes, block: known });
}

/** The codecs of segments. A codec's index is its number in the database. */
export const CODECS: readonly SegmentCodec[] = ["plain", "zstd", "sealed"];
