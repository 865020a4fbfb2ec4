/**
 * The tables of a team's store in PostgreSQL. `sync init` makes them once, and `sync upgrade` changes
 * them; nothing else runs DDL.
 *
 * Bytes are authoritative; `summary` and `words` are derived. Members have no insert, update or delete:
 * they call functions, which write rows of `session_user` alone. Every function pins its search path,
 * so that nobody's temporary table stands in for one of these.
 */

import { MAX_SEGMENT_BYTES } from "../segment_cutter.ts";
import { ADMINISTRATION, ADMINISTRATION_TABLES } from "./schema_administration.ts";
import { CHANGING } from "./schema_changes.ts";
import { MEMBER_ROLE, WRITING } from "./schema_functions.ts";
import { READING } from "./schema_reading.ts";

/** The version of the schema that this program reads and writes. */
export const SCHEMA_VERSION = 3;

/** The most stored bytes of a segment. Encryption, and rarely compression, adds some. */
export const MAX_STORED_BYTES = MAX_SEGMENT_BYTES + 1024 * 1024;
/** The most bytes of a session's row. Longer rows would slow down all lists. */
const MAX_ROW_BYTES = 256 * 1024;
/** Number of the segment table's partitions. One holds only about 100 million long values. */
const PARTS = 16;

const OLD_TABLES = `
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
create table summary (
  owner name, session text, n int,
  len bigint not null, made_by text not null check (length(made_by) <= 200),
  row jsonb not null check (octet_length(row::text) <= ${MAX_ROW_BYTES}),
  primary key (owner, session, n),
  foreign key (owner, session, n) references branch on delete cascade);
create table mark (
  owner name, ref text check (length(ref) <= 1000),
  field text,
  value jsonb not null check (octet_length(value::text) <= ${MAX_ROW_BYTES}), time timestamptz not null,
  device uuid not null references device,
  seen bigint generated always as identity,
  primary key (owner, ref, field));
create index on mark (owner, seen);
`;

/** The SQL that creates the segment table and its partitions. */
const SEGMENT = `
create table segment (
  owner name, session text, n int, off bigint,
  len int not null check (len between 1 and ${MAX_SEGMENT_BYTES}),
  sha bytea not null check (octet_length(sha) = 32),
  head bytea not null check (octet_length(head) = 32),
  codec smallint not null check (codec in (0, 1, 2)),
  bytes bytea not null check (octet_length(bytes) <= ${MAX_STORED_BYTES}),
  -- The offset of the segment that keeps the bytes of this one too, and the plain bytes of all of them.
  block bigint check (block <= off),
  block_len int check (block_len between 1 and ${MAX_SEGMENT_BYTES}),
  primary key (owner, session, n, off),
  foreign key (owner, session, n) references branch on delete cascade)
  partition by hash (owner, session);
do $$ begin
  for part in 0..${PARTS - 1} loop
    execute format('create table segment_%s partition of segment
      for values with (modulus ${PARTS}, remainder %s)', part, part);
    -- Compressed already: PostgreSQL does not try again.
    execute format('alter table segment_%s alter bytes set storage external,
      set (autovacuum_vacuum_insert_scale_factor = 0.05)', part);
  end loop;
end $$;
`;

/** The SQL that changes the tables of version 2. New stores run it, too. */
const SINCE_2 = `
-- The role that may read it; null for its owner alone. So a policy compares names, and looks nothing up.
alter table session add readers name;
-- Stored bytes, for quotas and for figures.
alter table branch add stored bigint not null default 0;
alter table mark add check (field in ('title', 'archived', 'tags', 'pinned', 'note'));
create index on project (readers);
-- A session's time is moved once in ten minutes: the exact one is its branches'.
create index on session (project, changed_at, owner, id);
create index on session (readers, changed_at, owner, id);
create index on session (owner, changed_at, id);
create index on session (id text_pattern_ops);
-- Rows that change with each push stay in their page.
alter table session set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01);
alter table branch set (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.01);
alter table summary set (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.01);
-- Words of summaries (off = -1) and of redacted copies, for searches.
create table words (
  owner name, session text, n int, off bigint, words tsvector not null,
  primary key (owner, session, n, off),
  foreign key (owner, session, n) references branch on delete cascade);
create index on words using gin (words);
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
grant select on store, device, project, session, branch, summary, mark to ${MEMBER_ROLE};
`;

/** SQL that grants rights. Members read bytes only by a function, which writes the audit. */
const CALLING = `
grant select (owner, session, n, off, len, sha, head, codec, block, block_len) on segment
  to ${MEMBER_ROLE};
revoke execute on all functions in schema reprise from public;
grant execute on function hello(uuid, text), register(uuid, text), claim(jsonb, uuid),
  append_many(jsonb, bytea), new_branch(text, int, uuid, int, bigint), rewind(text, int, bytea, bigint),
  fold(text, int, bigint, bigint, bytea, smallint, bytea), rekey(text, bytea), withdraw(text),
  put_mark(text, text, jsonb, timestamptz, uuid), my_roles(), read_segments(jsonb, bigint),
  find_words(text, int) to ${MEMBER_ROLE};
`;

/** SQL that turns off JIT: compiling a short statement costs up to 2 s at 100,000 sessions. */
const NO_COMPILING = `
do $$ begin
  execute format('alter database %I set jit = off', current_database());
exception when insufficient_privilege then null;
end $$;
`;

const FUNCTIONS = NO_COMPILING + READING + WRITING + CHANGING + ADMINISTRATION;

/** The statements of the schema, to be run in one transaction. */
export const SCHEMA = `create schema reprise; set local search_path = reprise, pg_catalog;` +
  OLD_TABLES + SEGMENT + SINCE_2 + ADMINISTRATION_TABLES + RIGHTS + FUNCTIONS + CALLING +
  `insert into store (version) values (${SCHEMA_VERSION});`;

const SINCE_1 = `
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

/** SQL that copies segments into partitions: PostgreSQL cannot partition an existing table. */
const MOVE_SEGMENTS = `
alter table segment rename to old_segment;
-- Names of constraints are one's own in a schema.
do $$ declare c name; begin
  for c in select conname from pg_constraint where conrelid = 'old_segment'::regclass loop
    execute format('alter table old_segment rename constraint %I to %I', c, 'old_' || c);
  end loop;
end $$;
${SEGMENT}
insert into segment (owner, session, n, off, len, sha, head, codec, bytes)
  select owner, session, n, off, len, sha, head, codec, bytes from old_segment;
drop table old_segment;
`;

/** The SQL that fills the columns that are new since version 2. */
const FILL_SINCE_2 = `
update session s set readers = p.readers from project p
  where p.id = s.project and s.visible = 'team' and s.withdrawn_at is null;
update branch b set stored = g.stored from (
    select owner, session, n, sum(octet_length(bytes)) as stored from segment group by 1, 2, 3) g
  where (g.owner, g.session, g.n) = (b.owner, b.session, b.n);
insert into words select owner, session, n, -1, row_words(row) from summary
  where row_words(row) <> '';
`;

/**
 * Returns the statements that bring a store to this version, to be run in one transaction.
 *
 * @param from The version that it has.
 */
export function upgradeFrom(from: number): string {
  return `
set local search_path = reprise, pg_catalog;
lock table store in access exclusive mode;
do $$ declare o record; begin
  if (select version from store) <> ${from} then
    raise exception 'this store has version % already', (select version from store);
  end if;
  for o in select polname, polrelid::regclass as of from pg_policy
      where polrelid in (select oid from pg_class where relnamespace = 'reprise'::regnamespace) loop
    execute format('drop policy %I on %s', o.polname, o.of);
  end loop;
  for o in select oid::regprocedure as f from pg_proc where pronamespace = 'reprise'::regnamespace loop
    execute 'drop function ' || o.f;
  end loop;
  -- Their columns decide which ones a query reads; those of this version are others.
  drop index session_project_changed_at_idx, session_changed_at_idx;
  alter table mark drop constraint mark_field_check;
end $$;
${from < 2 ? SINCE_1 : ""}${MOVE_SEGMENTS}${SINCE_2}${ADMINISTRATION_TABLES}${FUNCTIONS}${CALLING}
${FILL_SINCE_2}
update store set version = ${SCHEMA_VERSION};
`;
}
