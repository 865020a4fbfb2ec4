/** Administers a team's store in PostgreSQL, as its owner: members, rules, legal holds and the audit. */
import { SessionError } from "../../../core/event/session_error.ts";
import { connect, type Connection, type ConnectOptions } from "./connect.ts";
import { LIST } from "./answer.ts";

/** A member, or a former one whose sessions are there. */
export interface StoreMember {
  member: string;
  is_member: boolean;
  sessions: number;
  stored_bytes: number;
  last_push: string | null;
}

export interface StoreProject {
  project: string;
  /** The role that may read the project. */
  readers: string | null;
  members: number;
  sessions: number;
  stored_bytes: number;
  last_push: string | null;
}

/** The rules for what is shared from now on. */
export interface StoreRules {
  forms: string[];
  /** The role whose members may create projects. */
  makers: string;
  member_bytes: number | null;
  project_bytes: number | null;
  kept_days: number | null;
  audited: boolean;
}

/** A hold: sessions that match all its fields are never deleted. */
export interface StoreHold {
  id: number;
  owner: string | null;
  project: string | null;
  session: string | null;
  reason: string;
}

/** An audit record: one member read another member's session. */
export interface StoreReading {
  time: string;
  reader: string;
  owner: string;
  session: string;
  n: number;
}

export class StoreAdministration implements AsyncDisposable {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @throws {SessionError} As `openTeamStore`. */
  static async open(url: string, options: ConnectOptions = {}): Promise<StoreAdministration> {
    return new StoreAdministration(await connect(url, options));
  }

  /** Runs a query. Rows come as JSON, which keeps numbers and gives ISO times. */
  async #read<Row>(act: string, query: string, values: readonly unknown[] = []): Promise<Row[]> {
    const text = `select to_jsonb(t) as row from (${query}) t`;
    const rows = await this.#connection.rows<{ row: Row }>(act, text, values, LIST);
    return rows.map(({ row }) => row);
  }

  async members(): Promise<StoreMember[]> {
    const query = "select * from reprise.members order by stored_bytes desc, member";
    return await this.#read("list members", query);
  }

  async projects(): Promise<StoreProject[]> {
    const query = "select * from reprise.projects order by stored_bytes desc, project";
    return await this.#read("list projects", query);
  }

  async rules(): Promise<StoreRules> {
    const query = "select forms, makers, member_bytes, project_bytes, kept_days, audited " +
      "from reprise.policy";
    const [rules] = await this.#read<StoreRules>("read the rules", query);
    if (rules !== undefined) return rules;
    throw new SessionError(
      "damaged",
      "Cannot read the rules of the store: the database's table reprise.policy is empty. The " +
        "store is damaged: restore the database from a backup",
    );
  }

  async changeRules(changes: Partial<StoreRules>): Promise<void> {
    const fields = Object.keys(changes);
    if (fields.length === 0) return;
    const sets = fields.map((field, index) => `${field} = $${index + 1}`).join(", ");
    await this.#connection.rows("change the rules", `update reprise.policy set ${sets}`, [
      ...Object.values(changes),
    ]);
  }

  /**
   * Ends a membership: no reading, no writing. The sessions stay.
   *
   * @returns False if the role can still log in: ending that needs a right of its own.
   * @throws {SessionError} `permission` where the role stays a member by a grant of another role.
   */
  async revoke(member: string): Promise<boolean> {
    const [known] = await this.#connection.rows<{ revoke: string; nologin: string }>(
      "find the member",
      `select format('revoke reprise_member from %I', rolname) as revoke,
         format('alter role %I nologin', rolname) as nologin
       from pg_roles where rolname = $1`,
      [member],
    );
    if (known === undefined) {
      throw new SessionError("not-found", `Cannot revoke: the server has no role ${member}`);
    }
    await this.#connection.rows("end a membership", known.revoke);
    // PostgreSQL only warns where others granted it, or where it comes with another role.
    const [after] = await this.#connection.rows<{ is_member: boolean }>(
      "check the membership",
      "select pg_has_role($1::name, 'reprise_member', 'member') as is_member",
      [member],
    );
    if (after?.is_member !== false) {
      const message = `Cannot revoke: ${member} is still a member, because another role granted ` +
        "the membership; an administrator must revoke that grant";
      throw new SessionError("permission", message);
    }
    try {
      await this.#connection.rows("end a login", known.nologin);
      return true;
    } catch (error) {
      if (error instanceof SessionError && error.code === "permission") return false;
      throw error;
    }
  }

  async holds(): Promise<StoreHold[]> {
    return await this.#read("list holds", "select * from reprise.hold order by id");
  }

  async hold({ owner, project, session, reason }: Omit<StoreHold, "id">): Promise<void> {
    const text =
      "insert into reprise.hold (owner, project, session, reason) values ($1, $2, $3, $4)";
    await this.#connection.rows("hold sessions", text, [owner, project, session, reason]);
  }

  /** Ends a hold; false if no hold has this number. */
  async release(id: number): Promise<boolean> {
    const text = "delete from reprise.hold where id = $1 returning id";
    return (await this.#connection.rows("end a hold", text, [id])).length > 0;
  }

  /** Deletes what the rules keep no longer. @returns How many sessions that were. */
  async expire(): Promise<number> {
    const [row] = await this.#connection.rows<{ count: number }>(
      "delete old sessions",
      "select reprise.expire() as count",
    );
    return row?.count ?? 0;
  }

  /** Lists the latest readings of a session; of all sessions if it is undefined. */
  async readings(session: string | undefined, limit: number): Promise<StoreReading[]> {
    const query = `select time, reader, owner, session, n from reprise.reading
      where $1::text is null or session = $1 order by time desc limit $2`;
    return await this.#read("read the audit", query, [session ?? null, limit]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }
}
