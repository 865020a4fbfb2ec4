/** Reads branches of shared sessions, with or without the rows that lists show, and their segments. */
import { present } from "../../event/present.ts";
import { SessionError } from "../../event/session_error.ts";
import type {
  BranchQuery,
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

/** A row of {@linkcode branchQuery}. Numbers beyond 32 bits come as text. */
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
}

const COLUMNS = `b.owner, b.session, b.n, s.project, s.form, s.visible, b.device, d.label, b.base_n,
  b.base_len, b.len, encode(b.head, 'hex') as head, s.keys,
  encode(b.signer, 'hex') as signer, encode(b.signature, 'hex') as signature,
  to_char(b.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as changed_at`;

/**
 * Returns the statement that reads branches, with its values. The newest branches are of the newest
 * sessions, so that sessions alone are looked through.
 */
export function branchQuery(
  { mine, sessions, since, project, limit }: BranchQuery,
  summaries: boolean,
): [text: string, values: unknown[]] {
  const values: unknown[] = [];
  const value = (one: unknown): string => `$${values.push(one)}`;
  const begin = since === undefined ? undefined : `${value(since)}::timestamptz`;
  const where = [
    "withdrawn_at is null",
    ...(mine ? ["owner = session_user"] : []),
    ...(sessions === undefined ? [] : [`id = any(${value(sessions)}::text[])`]),
    ...(begin === undefined ? [] : [`changed_at >= ${begin}`]),
    ...(project === undefined ? [] : [`project = ${value(project)}`]),
  ];
  const most = limit === undefined ? "" : `limit ${value(limit)}`;
  const newest = limit === undefined ? "" : `order by changed_at desc ${most}`;
  const joined =
    "left join reprise.summary u on (u.owner, u.session, u.n) = (b.owner, b.session, b.n)";
  const text = `select ${COLUMNS}${summaries ? ", u.len as row_len, u.made_by, u.row" : ""}
    from (select * from reprise.session where ${where.join(" and ")} ${newest}) s
    join reprise.branch b on (b.owner, b.session) = (s.owner, s.id)
    join reprise.device d on d.id = b.device
    ${summaries ? joined : ""}
    ${begin === undefined ? "" : `where b.changed_at >= ${begin}`}
    order by b.changed_at desc, b.owner, b.session, b.n ${most}`;
  return [text, values];
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

/** Returns the list's row that comes with a branch. */
export function toSummary({ row_len, made_by, row }: BranchRow): { summary?: SharedSummary } {
  if (row === null || row === undefined) return {};
  return { summary: { len: Number(row_len), made_by: made_by ?? "", row } };
}

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

/** Gives windows of segments of many branches, in the order of the ranges: one round trip each. */
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
