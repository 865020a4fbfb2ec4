/**
 * Keeps objects in a PostgreSQL table. Queries cast each parameter to its type. Without the cast,
 * PostgreSQL could call a function that another member left in the schema `public`.
 */
import {
  MAX_LISTED,
  type ObjectStore,
  objectTooLarge,
  type StoredObject,
  tooManyNames,
} from "../objects/object_store.ts";
import { withHost } from "../store_address.ts";
import { assertAnswer, SHORT_ANSWER } from "./answer.ts";
import { oldSchema } from "./object_table.ts";
import { connect, type Connection, type ConnectOptions } from "./connect.ts";

/** Objects on a page of a listing. With the longest keys, a page takes two megabytes. */
const PAGE = 2000;
/** Maximum bytes of the objects in one query. A longer object gets its own query. */
const WINDOW_BYTES = 16 * 1024 * 1024;
/** Maximum bytes of a row besides its object. Sent in hexadecimal, an object counts twice. */
const ROW_BYTES = 4096;

/** A database's table of objects, and the database user of the connection. */
export interface Database {
  objects: ObjectStore;
  owner: string;
}

/**
 * Connects to a database.
 *
 * @param url `postgresql://USER@HOST/DATABASE`. The folder of a socket is given as `?host=`.
 * @throws {SessionError} `unreachable`, `permission`, `not-found`, `invalid-config`;
 * `unsupported-version` if a development version of Reprise made the tables.
 */
export async function openDatabase(url: string, options: ConnectOptions = {}): Promise<Database> {
  const connection = await connect(url, options);
  try {
    const [found] = await connection.rows<{ owner: string; old: unknown }>(
      "use the team's store",
      "select session_user::text as owner, to_regclass('reprise.segment') as old",
    );
    assertAnswer(typeof found?.owner === "string");
    if (found.old !== null) throw oldSchema();
    return {
      objects: new DatabaseStore(connection, new URL(withHost(url)).host),
      owner: found.owner,
    };
  } catch (error) {
    await connection[Symbol.asyncDispose]();
    throw error;
  }
}

interface ObjectRow {
  key: string;
  size: number;
  tag: string;
}

interface Wanted {
  key: string;
  limit: number;
  answer: PromiseWithResolvers<{ bytes: Uint8Array; tag: string } | undefined>;
}

class DatabaseStore implements ObjectStore {
  readonly #connection: Connection;
  readonly #host: string;
  #wanted: Wanted[] = [];
  #is_asking = false;

  constructor(connection: Connection, host: string) {
    this.#connection = connection;
    this.#host = host;
  }

  async *list(prefix: string): AsyncGenerator<StoredObject[]> {
    let after = "";
    let listed = 0;
    for (let length = PAGE; length === PAGE;) {
      const page: ObjectRow[] = await this.#connection.rows<ObjectRow>(
        "list the team's store",
        `select key, octet_length(bytes) as size, tag from reprise.object
         where key >= $1::text and key < $2::text and key > $3::text order by key limit ${PAGE}`,
        // Keys consist of ASCII.
        [prefix, `${prefix}\u007f`, after],
        { ...SHORT_ANSWER, rows: PAGE },
      );
      for (const { key, tag, size } of page) {
        // Each is behind the one before, or a server could give pages for ever.
        assertAnswer(typeof key === "string" && key > after && key.startsWith(prefix));
        assertAnswer(typeof tag === "string" && Number.isSafeInteger(size) && size >= 0);
        after = key;
        listed += key.length + tag.length;
      }
      if (listed > MAX_LISTED) throw tooManyNames(this.#host);
      length = page.length;
      if (length > 0) yield page;
    }
  }

  async get(key: string, limit: number): Promise<{ bytes: Uint8Array; tag: string } | undefined> {
    const answer: Wanted["answer"] = Promise.withResolvers();
    this.#wanted.push({ key, limit, answer });
    if (!this.#is_asking) await this.#ask();
    return await answer.promise;
  }

  /** Reads all wanted objects. Objects requested during a query are read by a later query. */
  async #ask(): Promise<void> {
    this.#is_asking = true;
    // Those that are asked for at once come in the same turn.
    await Promise.resolve();
    while (this.#wanted.length > 0) {
      let bytes = 0;
      const end = this.#wanted.findIndex(({ limit }) => (bytes += limit) > WINDOW_BYTES);
      const some = this.#wanted.splice(0, end < 0 ? Infinity : Math.max(1, end));
      try {
        await this.#read(some);
      } catch (error) {
        for (const { answer } of some) answer.reject(error);
      }
    }
    this.#is_asking = false;
  }

  async #read(wanted: readonly Wanted[]): Promise<void> {
    const limits = wanted.map(({ limit }) => limit);
    const total = limits.reduce((sum, limit) => sum + 2 * limit + ROW_BYTES, ROW_BYTES);
    const rows = await this.#connection.rows<ObjectRow & { bytes: unknown }>(
      "read from the team's store",
      `select key, tag, octet_length(bytes) as size,
         case when octet_length(bytes) <= most then bytes end as bytes
       from unnest($1::text[], $2::int[]) as w(wanted, most) join reprise.object on key = wanted`,
      [wanted.map(({ key }) => key), limits],
      { rows: wanted.length, bytes: total },
    );
    const found = new Map(rows.map((row) => [row.key, row]));
    for (const { key, limit, answer } of wanted) {
      const { tag, bytes } = found.get(key) ?? {};
      if (tag === undefined) answer.resolve(undefined);
      else if (bytes === null) answer.reject(objectTooLarge(key, limit));
      else {
        assertAnswer(typeof tag === "string" && bytes instanceof Uint8Array);
        if (bytes.length > limit) answer.reject(objectTooLarge(key, limit));
        else answer.resolve({ tag, bytes });
      }
    }
  }

  async put(key: string, bytes: Uint8Array, if_tag?: string | null): Promise<string | undefined> {
    const [row] = await this.#connection.rows<{ tag: unknown }>(
      "write to the team's store",
      "select reprise.put($1::text, $2::bytea, $3::text) as tag",
      [key, bytes, if_tag === undefined ? null : if_tag ?? ""],
    );
    assertAnswer(row?.tag === null || typeof row?.tag === "string");
    return row.tag ?? undefined;
  }

  async delete(key: string): Promise<void> {
    const text = "select reprise.remove($1::text)";
    await this.#connection.rows("delete from the team's store", text, [key]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }
}
