/**
 * Makes a team's store in PostgreSQL. Only `sync team` runs DDL. Members can select only objects
 * whose keys allow it. They write through functions, and only below their own names. Each function
 * pins its search path, so that no temporary table can replace a table of the store.
 */
import { SessionError } from "../../../core/event/session_error.ts";
import { MAX_KEY_BYTES } from "../objects/object_store.ts";
import { STORE_KEY } from "../objects/object_keys.ts";
import { MAX_PART_BYTES } from "../push/line_cutter.ts";
import { connect, type ConnectOptions } from "./connect.ts";

const MEMBER_ROLE = "reprise_member";
/** Maximum bytes of an object. Encryption makes a part at most a quarter longer. */
const MAX_BYTES = MAX_PART_BYTES * 1.25 + 1024 * 1024;
/** Matches the hash of the project in a key, as `object_keys.ts` makes it. */
const PROJECT = "'^v1/[a-z]+/[^/]+/[^/]+/p-([0-9a-f]{32})[./]'";

const TABLE = `
do $$ begin
  if to_regrole('${MEMBER_ROLE}') is null then create role ${MEMBER_ROLE} nologin; end if;
end $$;
create schema reprise;
-- A project that some members alone read. All others are read by all members.
create table reprise.project (
  id text primary key check (length(id) <= 1000),
  readers name not null);
create table reprise.object (
  key text collate "C" primary key
    check (octet_length(key) <= ${MAX_KEY_BYTES} and key ~ '^[!-~]+$'),
  bytes bytea not null check (octet_length(bytes) <= ${MAX_BYTES}),
  tag text generated always as (left(encode(sha256(bytes), 'hex'), 32)) stored,
  writer name not null default session_user,
  project text generated always as (substring(key from ${PROJECT})) stored);
-- What it keeps is compressed or encrypted.
alter table reprise.object alter column bytes set storage external;

-- A member's name, as keys have it.
create function reprise.key_name(name text) returns text
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select 'u-' || string_agg(
    case when c ~ '^[a-z0-9-]$' then c else '_' || encode(convert_to(c, 'UTF8'), 'hex') || '_' end,
    '' order by n)
  from regexp_split_to_table(name, '') with ordinality as t(c, n)
$$;

-- The projects that the member may not read.
create function reprise.closed() returns table (hash text, readers name)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select left(encode(sha256(convert_to(id, 'UTF8')), 'hex'), 32), readers
  from reprise.project where not coalesce(
    (select pg_has_role(session_user, oid, 'member') from pg_roles where rolname = readers), false)
$$;

-- Writes an object. A condition is the tag that it must have; empty, there must be none.
create function reprise.put(p_key text, p_bytes bytea, condition text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  told text;
  refused name;
begin
  if split_part(p_key, '/', 3) <> reprise.key_name(session_user)
      and not (p_key = '${STORE_KEY}' and pg_has_role(session_user, current_user, 'member')) then
    raise insufficient_privilege using message = 'each member writes below the own name';
  end if;
  select readers into refused from reprise.closed() where hash = substring(p_key from ${PROJECT});
  if found then
    raise insufficient_privilege using message = 'you are not a reader of this project',
      hint = format('grant %I to %I', refused, session_user);
  end if;
  if condition is null then
    insert into reprise.object (key, bytes) values (p_key, p_bytes)
      on conflict (key) do update set bytes = excluded.bytes returning tag into told;
  elsif condition = '' then
    insert into reprise.object (key, bytes) values (p_key, p_bytes)
      on conflict do nothing returning tag into told;
  else
    update reprise.object set bytes = p_bytes where key = p_key and tag = condition
      returning tag into told;
  end if;
  return told;
end $$;

create function reprise.remove(p_key text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from reprise.object where key = p_key and writer = session_user
$$;

alter table reprise.object enable row level security;
create policy reading on reprise.object for select using (
  writer = session_user or key = '${STORE_KEY}'
  or project is not null and project <> all (array(select hash from reprise.closed())));
grant usage on schema reprise to ${MEMBER_ROLE};
grant select on reprise.object to ${MEMBER_ROLE};
revoke execute on all functions in schema reprise from public;
grant execute on function reprise.closed(), reprise.put(text, bytea, text), reprise.remove(text)
  to ${MEMBER_ROLE};
`;

/**
 * Makes the table of objects. Does nothing if a killed `sync team` already made the table.
 *
 * @param url The database, as its owner reaches it.
 * @throws {SessionError} As `openDatabase`.
 */
export async function makeObjectTable(url: string, options: ConnectOptions = {}): Promise<void> {
  await using connection = await connect(url, options);
  const [found] = await connection.rows<{ made: string | null; old: string | null; owner: string }>(
    "look for a store",
    `select to_regclass('reprise.object') as made, to_regclass('reprise.segment') as old,
       session_user as owner`,
  );
  const { made = null, old = null, owner = "" } = found ?? {};
  if (old !== null) throw oldSchema();
  if (made !== null) return;
  try {
    // A simple query of several statements is one transaction.
    await connection.rows("make a store", TABLE);
  } catch (error) {
    throw roleRefused(error, owner);
  }
}

export function oldSchema(): SessionError {
  const message =
    "Cannot use the team's store: a development version of Reprise made it. Its owner removes it " +
    "with: drop schema reprise cascade; and makes a new one: reprise sync team URL";
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
