/**
 * The schema of a team's store in PostgreSQL. `sync init` runs it once, and `--upgrade` its changes;
 * nothing else runs DDL.
 *
 * Bytes are authoritative and `summary` is derived. Members have no insert, update or delete: they
 * call functions, which write rows of `session_user` alone. Every function pins its search path, so
 * that nobody's temporary table stands in for one of these.
 */

import { MAX_SEGMENT_BYTES } from "../segment_cutter.ts";
import { MEMBER_ROLE, WRITING } from "./schema_functions.ts";

/** The version of the schema that this program reads and writes. */
export const SCHEMA_VERSION = 2;

/** The most stored bytes of a segment. Sealing, and sometimes compressing, makes one longer. */
export const MAX_STORED_BYTES = MAX_SEGMENT_BYTES + 1024 * 1024;
/** The most bytes of a session's row. Longer rows would slow down all lists. */
const MAX_ROW_BYTES = 256 * 1024;

const TABLES = `
create schema reprise;
set local search_path = reprise, pg_catalog;

create table store (
  one boolean primary key default true check (one),
  id uuid not null default gen_random_uuid(),
  version int not null,
  made_at timestamptz not null default now());
-- A data root; its label is no secret, and nothing but a label.
create table device (
  id uuid primary key, owner name not null, label text not null check (length(label) <= 200));
-- Of a project that has private sessions alone there is no row: members read these names.
create table project (
  id text primary key check (length(id) <= 1000),
  readers name not null default '${MEMBER_ROLE}');
create table session (
  owner name, id text check (length(id) <= 1000),
  project text not null check (length(project) <= 1000),
  device uuid not null references device,
  form text not null check (form in ('log', 'copy', 'sealed')),
  visible text not null default 'team' check (visible in ('team', 'private')),
  keys bytea,
  made_at timestamptz not null default now(),
  -- The latest change of its branches: lists read sessions in this order.
  changed_at timestamptz not null default clock_timestamp(),
  withdrawn_at timestamptz,
  primary key (owner, id));
create table branch (
  owner name, session text, n int,
  device uuid not null references device,
  base_n int, base_len bigint not null default 0 check (base_len >= 0),
  len bigint not null check (len >= base_len),
  head bytea not null check (octet_length(head) in (0, 32)),
  changed_at timestamptz not null default clock_timestamp(),
  -- The device's key and its signature of the branch up to its end; null of older programs.
  signer bytea check (octet_length(signer) = 32),
  signature bytea check (octet_length(signature) = 64),
  primary key (owner, session, n),
  foreign key (owner, session) references session on delete cascade);
create table segment (
  owner name, session text, n int, off bigint,
  len int not null check (len between 1 and ${MAX_SEGMENT_BYTES}),
  sha bytea not null check (octet_length(sha) = 32),
  head bytea not null check (octet_length(head) = 32),
  codec smallint not null check (codec in (0, 1, 2)),
  bytes bytea not null check (octet_length(bytes) <= ${MAX_STORED_BYTES}),
  primary key (owner, session, n, off),
  foreign key (owner, session, n) references branch on delete cascade);
-- Compressed already: PostgreSQL does not try again.
alter table segment alter bytes set storage external;
create table summary (
  owner name, session text, n int,
  len bigint not null, made_by text not null check (length(made_by) <= 200),
  row jsonb not null check (octet_length(row::text) <= ${MAX_ROW_BYTES}),
  primary key (owner, session, n),
  foreign key (owner, session, n) references branch on delete cascade);
create table mark (
  owner name, ref text check (length(ref) <= 1000), field text check (field in ('title', 'archived')),
  value jsonb not null check (octet_length(value::text) <= ${MAX_ROW_BYTES}), time timestamptz not null,
  device uuid not null references device,
  seen bigint generated always as identity,
  primary key (owner, ref, field));
create index on mark (owner, seen);
create index on session (project, changed_at);
create index on session (changed_at);
`;

// A policy that looks for sessions of a project took a second at 100,000 of them. The projects are
// listed once a statement, and each row is looked up by its key: `offset 0` keeps the planner from
// reading all sessions into a table instead, which takes longer than a list.
const READING = `
create function my_projects() returns text[]
language sql stable security definer set search_path = reprise, pg_catalog, pg_temp as $$
  select coalesce(array_agg(id), '{}') from project
  where (select pg_has_role(session_user, r.oid, 'member') from pg_roles r where r.rolname = readers)
$$;
alter table session enable row level security;
alter table branch enable row level security;
alter table segment enable row level security;
alter table summary enable row level security;
alter table mark enable row level security;
-- Names of projects tell what others work on.
alter table project enable row level security;
create policy r on session for select using (
  owner = session_user
  or (visible = 'team' and withdrawn_at is null
      and project = any ((select my_projects())::text[])));
create policy r on branch for select using (
  exists (select from session s where (s.owner, s.id) = (branch.owner, branch.session) offset 0));
create policy r on segment for select using (
  exists (select from session s where (s.owner, s.id) = (segment.owner, segment.session) offset 0));
create policy r on summary for select using (
  exists (select from session s where (s.owner, s.id) = (summary.owner, summary.session) offset 0));
create policy r on mark for select using (owner = session_user);
create policy r on project for select using (id = any ((select my_projects())::text[]));
`;

const RIGHTS = `
-- The role may be there, made by an administrator: then no right to make roles is needed.
do $$ begin
  if not exists (select from pg_roles where rolname = '${MEMBER_ROLE}') then
    create role ${MEMBER_ROLE} nologin;
  end if;
exception when duplicate_object then null;
end $$;
-- Whoever makes the store shares sessions in it, too.
do $$ begin
  if not pg_has_role(session_user, '${MEMBER_ROLE}', 'member') then
    execute format('grant ${MEMBER_ROLE} to %I', session_user);
  end if;
end $$;
grant usage on schema reprise to ${MEMBER_ROLE};
grant select on store, device, project, session, branch, segment, summary, mark to ${MEMBER_ROLE};
`;

const CALLING = `
revoke execute on all functions in schema reprise from public;
grant execute on all functions in schema reprise to ${MEMBER_ROLE};
revoke execute on function append(jsonb, bytea), has_terms(session, jsonb) from ${MEMBER_ROLE};
`;

/** The statements of the schema, to be run in one transaction. */
export const SCHEMA = TABLES + READING + WRITING + RIGHTS + CALLING +
  `insert into store (version) values (${SCHEMA_VERSION});`;

/** The changes to the tables of an older schema. */
const CHANGES = `
alter table session drop constraint session_project_fkey,
  add check (length(project) <= 1000);
alter table branch
  add signer bytea check (octet_length(signer) = 32),
  add signature bytea check (octet_length(signature) = 64);
-- Names of projects that have private sessions alone.
delete from project p where readers = '${MEMBER_ROLE}'
  and exists (select from session s where s.project = p.id)
  and not exists (select from session s where s.project = p.id and s.visible = 'team');
`;

/** The statements that make a store of version 1 one of this version, to be run in one transaction. */
export const UPGRADE = `
set local search_path = reprise, pg_catalog;
lock table store in access exclusive mode;
do $$ declare f regprocedure; begin
  if (select version from store) <> 1 then
    raise exception 'this store has version % already', (select version from store);
  end if;
  -- Policies read through my_projects, so it stays; all others are made anew.
  for f in select oid from pg_proc
      where pronamespace = 'reprise'::regnamespace and proname <> 'my_projects' loop
    execute 'drop function ' || f;
  end loop;
end $$;
${CHANGES}${WRITING}${CALLING}
update store set version = ${SCHEMA_VERSION};
`;
