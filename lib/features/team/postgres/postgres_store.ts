/**
 * A team's store in PostgreSQL. Values that are given to PostgreSQL's functions name their type. Else
 * a function with the same name could be taken that somebody left in the schema `public`.
 */
import { Buffer } from "node:buffer";
import { present } from "../../../core/event/present.ts";
import type {
  AppendOutcome,
  BranchQuery,
  ClaimOutcome,
  Device,
  Segment,
  SegmentFold,
  SegmentHash,
  SegmentRange,
  SegmentToAppend,
  SessionClaim,
  SharedBranch,
  SharedMark,
  SharedSummary,
  StoreGreeting,
  TeamStore,
} from "../team_store.ts";
import { assertAnswer, LIST } from "./answer.ts";
import { connect, type Connection, type ConnectOptions } from "./connect.ts";
import { otherVersion } from "./init_store.ts";
import { SCHEMA_VERSION } from "./schema.ts";
import { branchQuery, PAGE, type PagePlace } from "./branch_query.ts";
import { type BranchRow, CODECS, readSegments, toBranch, toSummary } from "./stored_rows.ts";

/**
 * Opens a team's store. Nothing is sent to it but what the methods are given.
 *
 * @param url `postgresql://USER@HOST/DATABASE`; a socket's folder stands in `?host=`.
 * @throws {SessionError} `unreachable`, `permission`, `not-found`, `invalid-config`.
 */
export async function openTeamStore(
  url: string,
  options: ConnectOptions = {},
): Promise<TeamStore> {
  return new PostgresStore(await connect(url, options));
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

class PostgresStore implements TeamStore {
  readonly #connection: Connection;
  /** The current device until it is registered; undefined afterwards. */
  #unknown: Device | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Calls a database function and returns its single value. */
  async #call<Value>(act: string, call: string, values: readonly unknown[]): Promise<Value> {
    const text = `select reprise.${call} as value`;
    const [row] = await this.#connection.rows<{ value: Value }>(act, text, values);
    assertAnswer(row?.value !== undefined);
    return row.value;
  }

  async hello(device: Device): Promise<StoreGreeting> {
    const { is_known, ...told } = await this.#call<StoreGreeting & { is_known: boolean }>(
      "greet the team's store",
      "hello($1, $2)",
      [device.id, storable(device.label)],
    );
    assertAnswer(typeof told.id === "string" && typeof told.owner === "string");
    if (told.version !== SCHEMA_VERSION) throw otherVersion(told.version);
    this.#unknown = is_known ? undefined : device;
    return told;
  }

  /** Registers the device, before the first write. */
  async #register(): Promise<void> {
    if (this.#unknown === undefined) return;
    const { id, label } = this.#unknown;
    await this.#call("register this machine", "register($1, $2)", [id, storable(label)]);
    this.#unknown = undefined;
  }

  async branches(query: BranchQuery = {}): Promise<SharedBranch[]> {
    const { limit, sessions, begins } = query;
    const is_bounded = limit !== undefined || sessions !== undefined || begins !== undefined;
    if (is_bounded) return (await this.#list(...branchQuery(query, false))).map(toBranch);
    const found = new Map<string, SharedBranch>();
    for (let page: PagePlace | "first" | undefined = "first"; page !== undefined;) {
      const rows: BranchRow[] = await this.#list(...branchQuery(query, false, page));
      for (const row of rows) {
        if (row.n !== null) found.set(`${row.owner}/${row.n}/${row.session}`, toBranch(row));
      }
      const next = nextPage(rows);
      // Each page is behind the one before, or a server could give pages for ever.
      const is_behind = page === "first" || next === undefined ||
        next.changed_at >= page.changed_at;
      assertAnswer(is_behind && found.size <= LIST.rows * 4);
      page = next;
    }
    return [...found.values()].sort(newestFirst);
  }

  async #list(text: string, values: unknown[]): Promise<BranchRow[]> {
    return await this.#connection.rows<BranchRow>("list shared sessions", text, values, LIST);
  }

  async summaries(
    query: BranchQuery = {},
  ): Promise<(SharedBranch & { summary?: SharedSummary })[]> {
    const rows = await this.#list(...branchQuery(query, true));
    return rows.map((row) => ({ ...toBranch(row), ...toSummary(row) }));
  }

  async find(
    words: string,
    limit: number,
  ): Promise<(SharedBranch & { summary?: SharedSummary })[]> {
    const found = await this.#connection.rows<Pick<BranchRow, "owner" | "session" | "n">>(
      "search shared sessions",
      "select owner, session, n from reprise.find_words($1::text, $2::int)",
      [storable(words), limit],
    );
    if (found.length === 0) return [];
    const key = ({ owner, session, n }: typeof found[number]): string => `${owner}/${n}/${session}`;
    const keys = new Set(found.map(key));
    const sessions = [...new Set(found.map(({ session }) => session))];
    return (await this.summaries({ sessions })).filter((branch) => keys.has(key(branch)));
  }

  async claim(claims: readonly SessionClaim[], device: string): Promise<Map<string, ClaimOutcome>> {
    await this.#register();
    const given = claims.flatMap(({ keys, anew, claim: _claim, ...terms }) => {
      const claim = { ...terms, keys: keys && Buffer.from(keys).toString("hex") };
      // The function replaces sessions under other terms alone: so it passes through some.
      const between = { ...claim, project: "", visible: "private" as const, replace: true };
      return anew ? [between, { ...claim, replace: true }] : [claim];
    });
    const told = await this.#call<Record<string, ClaimOutcome>>(
      "share sessions",
      "claim($1, $2)",
      [JSON.stringify(given), device],
    );
    assertAnswer(typeof told === "object" && told !== null);
    return new Map(Object.entries(told));
  }

  async append(segments: readonly SegmentToAppend[]): Promise<AppendOutcome[]> {
    let at = 0;
    const items = segments.map(({ bytes, codec, summary, text, ...segment }) => {
      const item = { ...segment, codec: CODECS.indexOf(codec), at, size: bytes.length };
      at += bytes.length;
      return present({
        ...item,
        text: text && storable(text),
        summary: summary && { ...summary, row: storable(summary.row) },
      });
    });
    const blob = new Uint8Array(at);
    for (const [index, item] of items.entries()) blob.set(segments[index]?.bytes ?? [], item.at);
    const told = await this.#call<AppendOutcome[]>(
      "append events to shared sessions",
      "append_many($1, $2)",
      [JSON.stringify(items), blob],
    );
    assertAnswer(Array.isArray(told) && told.length === items.length);
    return told;
  }

  async branch(
    session: string,
    known: number,
    device: string,
    base: { n: number; len: number },
  ): Promise<number | undefined> {
    await this.#register();
    const values = [session, known, device, base.n, base.len];
    const n = await this.#call<number | null>(
      "begin a branch",
      "new_branch($1, $2, $3, $4, $5)",
      values,
    );
    return n ?? undefined;
  }

  async rewind(session: string, n: number, head: string, to: number): Promise<boolean> {
    const call = "rewind($1, $2, decode($3::text, 'hex'), $4)";
    return await this.#call<boolean>("rewind a copy", call, [session, n, head, to]);
  }

  async hashes(sessions: readonly string[]): Promise<SegmentHash[]> {
    const rows = await this.#connection.rows<
      Omit<SegmentHash, "block"> & { off: string; block: string | null }
    >(
      "compare shared sessions",
      `select session, n, off, len, encode(sha, 'hex') as sha, encode(head, 'hex') as head, block
       from reprise.segment where owner = session_user and session = any($1::text[])
       order by session, n, off`,
      [sessions],
      LIST,
    );
    assertAnswer(rows.every(({ session, sha }) => typeof session === "string" && isHash(sha)));
    return rows.map(({ block, ...row }) =>
      present({ ...row, off: Number(row.off), block: block === null ? undefined : Number(block) })
    );
  }

  segments(ranges: readonly SegmentRange[]): AsyncIterable<(Segment & SegmentRange)[]> {
    return readSegments(this.#connection, ranges);
  }

  async fold({ session, n, off, len, head, codec, bytes }: SegmentFold): Promise<boolean> {
    const values = [session, n, off, off + len, head, CODECS.indexOf(codec), bytes];
    const call = "fold($1, $2, $3, $4, decode($5::text, 'hex'), $6::smallint, $7)";
    return await this.#call<boolean>("merge segments", call, values);
  }

  async rekey(session: string, keys: Uint8Array): Promise<boolean> {
    return await this.#call<boolean>("replace a session's keys", "rekey($1, $2)", [session, keys]);
  }

  async putMarks(marks: readonly SharedMark[]): Promise<boolean[]> {
    if (marks.length === 0) return [];
    await this.#register();
    const rows = await this.#connection.rows<{ latest: boolean }>(
      "share titles",
      `select reprise.put_mark(m->>'ref', m->>'field', m->'value', (m->>'time')::timestamptz,
         (m->>'device')::uuid) as latest
       from jsonb_array_elements($1::jsonb) m`,
      [JSON.stringify(storable(marks))],
    );
    return rows.map(({ latest }) => latest);
  }

  async marks(seen: number): Promise<{ marks: SharedMark[]; seen: number }> {
    const rows = await this.#connection.rows<SharedMark & { seen: string }>(
      "read shared titles",
      `select ref, field, value, device, seen,
         to_char(time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time
       from reprise.mark where owner = session_user and seen > $1 order by seen`,
      [seen],
      LIST,
    );
    assertAnswer(rows.every(({ ref, time }) => typeof ref === "string" && isTime(time)));
    return {
      marks: rows.map(({ seen: _seen, ...mark }) => mark),
      seen: Number(rows.at(-1)?.seen ?? seen),
    };
  }

  async withdraw(session: string): Promise<boolean> {
    return await this.#call<boolean>("withdraw a session", "withdraw($1)", [session]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }
}

/** Returns the place where the next page begins; undefined after the last page. */
function nextPage(rows: readonly BranchRow[]): PagePlace | undefined {
  const sessions = new Set(rows.map(({ page_owner, page_id }) => `${page_owner}/${page_id}`));
  const { page_time: changed_at, page_owner: owner, page_id: id } = rows.at(-1) ?? {};
  if (sessions.size < PAGE) return undefined;
  assertAnswer(changed_at !== undefined && owner !== undefined && id !== undefined);
  return { changed_at, owner, id };
}

function newestFirst(one: SharedBranch, other: SharedBranch): number {
  return one.changed_at < other.changed_at ? 1 : -1;
}

/** Replaces the characters that `jsonb` cannot hold, NUL and unpaired surrogates, by U+FFFD. */
function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** Returns the value with U+FFFD in the place of characters that PostgreSQL cannot store. */
function storable(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [storableText(key), storable(one)]),
  );
}
