/** The statement that reads branches. It reads sessions in an index, and no more than the answer needs. */
import type { BranchQuery } from "../team_store.ts";
import { TOUCH } from "./schema_functions.ts";

/** The last session of a page. The next page begins after it. */
export interface PagePlace {
  changed_at: string;
  owner: string;
  id: string;
}

/** Number of sessions in a page. */
export const PAGE = 2000;

const TIME = `at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const COLUMNS = `b.owner, b.session, b.n, b.project, b.form, b.visible, b.device, d.label, b.base_n,
  b.base_len, b.len, encode(b.head, 'hex') as head, b.keys,
  encode(b.signer, 'hex') as signer, encode(b.signature, 'hex') as signature,
  to_char(b.changed_at ${TIME} as changed_at`;
const PLACE = `, page_owner, page_id, to_char(page_time ${TIME} as page_time`;

/**
 * Returns the statement, with its values. With a limit it reads the newest branches, else all of them.
 *
 * @param page Reads the oldest sessions behind this place, with a row for each that has no such branch.
 */
export function branchQuery(
  query: BranchQuery,
  summaries: boolean,
  page?: PagePlace | "first",
): [text: string, values: unknown[]] {
  const { since, limit } = query;
  const values: unknown[] = [];
  const value = (one: unknown): string => `$${values.push(one)}`;
  const begin = since === undefined ? undefined : `${value(since)}::timestamptz`;
  const most = limit === undefined ? "" : `limit ${value(limit)}`;
  const where = [
    "withdrawn_at is null",
    // A session's own time lies behind that of its branches.
    ...(begin === undefined ? [] : [`changed_at >= ${begin} - interval '${TOUCH}'`]),
    ...(query.mine ? ["owner = session_user"] : []),
    ...(query.project === undefined ? [] : [`project = ${value(query.project)}`]),
    ...(typeof page === "object"
      ? [
        `(changed_at, owner, id) > (${value(page.changed_at)}::timestamptz, ` +
        `${value(page.owner)}::name, ${value(page.id)}::text)`,
      ]
      : []),
  ];
  const sessions = sources(query, value).map(({ each, of }) => {
    const found = narrowed(
      [...of, ...where].join(" and "),
      page !== undefined,
      query.begins ? "" : most,
    );
    return each === undefined ? found : `(select s.* from ${each} cross join lateral ${found} s)`;
  }).join(" union ");
  const join = page === undefined ? "join" : "left join";
  const text = `select ${COLUMNS}${page === undefined ? "" : PLACE}
      ${summaries ? ", u.len as row_len, u.made_by, u.row" : ""}
    from (select s.project, s.form, s.visible, s.keys,
        s.owner as page_owner, s.id as page_id, s.changed_at as page_time, b.*
      from (select * from (${sessions}) s
        ${page === undefined ? "" : `order by changed_at, owner, id limit ${PAGE}`}) s
      ${join} reprise.branch b on (b.owner, b.session) = (s.owner, s.id)
        ${begin === undefined ? "" : `and b.changed_at >= ${begin}`}
      order by ${NEWEST} ${most}) b
    ${join} reprise.device d on d.id = b.device
    ${summaries ? SUMMARY : ""}
    order by ${page === undefined ? NEWEST : "page_time, page_owner, page_id"}`;
  return [text, values];
}

const NEWEST = "b.changed_at desc, b.owner, b.session, b.n";
const SUMMARY =
  "left join reprise.summary u on (u.owner, u.session, u.n) = (b.owner, b.session, b.n)";

/** The conditions that select sessions by one index, for each row of `each` if given. */
interface Source {
  each?: string;
  of: string[];
}

function sources(
  { mine, sessions, begins, project }: BranchQuery,
  value: (one: unknown) => string,
): Source[] {
  if (sessions !== undefined) return [{ of: [`id = any(${value(sessions)}::text[])`] }];
  if (begins !== undefined) {
    // Not `like`: row-level security lets only these operators use the index.
    const of = ["id ~>=~ id_begin", "id ~<~ (id_begin || chr(1114111))"];
    return [{ each: `unnest(${value(begins)}::text[]) id_begin`, of }];
  }
  if (mine || project !== undefined) return [{ of: [] }];
  return [
    { each: "reprise.my_roles() reader", of: ["readers = reader"] },
    // Also those whose project the owner may not read any more.
    { of: ["owner = session_user"] },
  ];
}

/** Number of additional sessions to read, as session times may lag behind branch times. */
const AT_ONCE = 1000;

/** Returns a query for sessions: a page of the oldest, those with the newest branches, or all. */
function narrowed(where: string, is_page: boolean, most: string): string {
  const found = `select * from reprise.session where ${where}`;
  if (is_page) return `(${found} order by changed_at, owner, id limit ${PAGE})`;
  // `offset 0` keeps the planner from reading all sessions into a table, to look up a few there.
  if (most === "") return `(${found} offset 0)`;
  return `(select f.* from (select min(changed_at) - interval '${TOUCH}' as bound from (
      select changed_at from reprise.session where ${where} order by changed_at desc ${most}) n) n
    cross join lateral (${found} and changed_at >= bound
      order by changed_at desc ${most} + ${AT_ONCE}) f)`;
}
