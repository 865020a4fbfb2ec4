/** Makes the schema of a team's store: the only place that runs DDL. */
import { SessionError } from "../../../core/event/session_error.ts";
import type { StoreGreeting } from "../team_store.ts";
import { connect, type ConnectOptions } from "./connect.ts";
import { SCHEMA, SCHEMA_VERSION, upgradeFrom } from "./schema.ts";
import { MEMBER_ROLE } from "./schema_functions.ts";

/**
 * Makes a team's store in a database.
 *
 * @param url The database, as its owner reaches it.
 * @throws {SessionError} `unsupported-version` where a store is there already; else as `openTeamStore`.
 */
export async function initTeamStore(
  url: string,
  options: ConnectOptions = {},
): Promise<StoreGreeting> {
  await using connection = await connect(url, options);
  const [found] = await connection.rows<{ schema: string | null; owner: string }>(
    "look for a store",
    "select to_regnamespace('reprise') as schema, session_user as owner",
  );
  const { schema = null, owner = "" } = found ?? {};
  if (schema !== null) {
    throw new SessionError(
      "unsupported-version",
      "Cannot make a store: this database already has a store. To use it: reprise sync join URL",
    );
  }
  // A simple query of several statements is one transaction.
  try {
    await connection.rows("make a store", SCHEMA);
  } catch (error) {
    throw roleRefused(error, owner);
  }
  const [row] = await connection.rows<{ id: string }>(
    "read the store",
    "select id from reprise.store",
  );
  return { id: row?.id ?? "", version: SCHEMA_VERSION, owner };
}

/**
 * Upgrades the schema of a store that an older version made. What is shared stays.
 *
 * @param url The database, as the schema's owner reaches it.
 * @returns The version that it had, and the one that it has.
 * @throws {SessionError} `permission` for anybody but the owner; `unsupported-version` where there is no
 * store, or one of a later version; else as `openTeamStore`.
 */
export async function upgradeTeamStore(
  url: string,
  options: ConnectOptions = {},
): Promise<{ from: number; to: number }> {
  // All segments are copied once, at 100 MB a second or less.
  await using connection = await connect(url, { ...options, statement_ms: 0 });
  const [found] = await connection.rows<{ version: number; owner: string; may: boolean }>(
    "read the store's version",
    `select version, nspowner::regrole::text as owner, pg_has_role(session_user, nspowner, 'usage') as may
     from reprise.store, pg_namespace where nspname = 'reprise'`,
  );
  const { version = 0, owner = "", may = false } = found ?? {};
  if (version === SCHEMA_VERSION) return { from: version, to: version };
  if (!(version >= 1 && version < SCHEMA_VERSION)) throw otherVersion(version);
  if (!may) {
    throw new SessionError(
      "permission",
      `Cannot upgrade the store: only the store's owner (${owner}) can upgrade it`,
    );
  }
  await connection.rows("upgrade the store", upgradeFrom(version));
  return { from: version, to: SCHEMA_VERSION };
}

/** Makes the error for a store whose schema has another version, with advice. */
export function otherVersion(version: number): SessionError {
  const message = version > SCHEMA_VERSION
    ? `Cannot use the team's store: a newer Reprise made the store's schema (version ${version}); ` +
      "update Reprise on this machine"
    : `Cannot use the team's store: the store's schema (version ${version}) is too old; the store's ` +
      "owner can upgrade it: reprise sync upgrade URL";
  return new SessionError("unsupported-version", message);
}

/** Replaces the error for a missing right to create roles. Many hosted servers lack that right. */
function roleRefused(error: unknown, owner: string): unknown {
  if (!(error instanceof SessionError) || error.code !== "permission") return error;
  if (!/\b(?:create|grant) role|admin option|ADMIN/.test(error.message)) return error;
  const message =
    `Cannot make a store: ${owner} is not allowed to create the role ${MEMBER_ROLE}; ask an ` +
    `administrator to run once: create role ${MEMBER_ROLE}; grant ${MEMBER_ROLE} to ${owner}`;
  return new SessionError("permission", message, {}, error);
}
