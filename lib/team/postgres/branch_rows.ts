/** Reads branches of shared sessions, with or without the rows that lists show. */
import { present } from "../../event/present.ts";
import type {
  BranchQuery,
  SharedBranch,
  SharedForm,
  SharedSummary,
  SharedWith,
} from "../team_store.ts";
import { assertAnswer } from "./answer.ts";

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
