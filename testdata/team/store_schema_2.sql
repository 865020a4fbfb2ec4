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
  readers name not null default 'reprise_member');
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
  len int not null check (len between 1 and 134217728),
  sha bytea not null check (octet_length(sha) = 32),
  head bytea not null check (octet_length(head) = 32),
  codec smallint not null check (codec in (0, 1, 2)),
  bytes bytea not null check (octet_length(bytes) <= 135266304),
  primary key (owner, session, n, off),
  foreign key (owner, session, n) references branch on delete cascade);
-- Compressed already: PostgreSQL does not try again.
alter table segment alter bytes set storage external;
create table summary (
  owner name, session text, n int,
  len bigint not null, made_by text not null check (length(made_by) <= 200),
  row jsonb not null check (octet_length(row::text) <= 262144),
  primary key (owner, session, n),
  foreign key (owner, session, n) references branch on delete cascade);
create table mark (
  owner name, ref text check (length(ref) <= 1000), field text check (field in ('title', 'archived')),
  value jsonb not null check (octet_length(value::text) <= 262144), time timestamptz not null,
  device uuid not null references device,
  seen bigint generated always as identity,
  primary key (owner, ref, field));
create index on mark (owner, seen);
create index on session (project, changed_at);
create index on session (changed_at);

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

create function check_device(p_device uuid) returns void
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  if not exists (select from device where id = p_device and owner = session_user) then
    raise insufficient_privilege using message = 'this device belongs to another member';
  end if;
end $$;

-- True for a session that is shared as a caller expects.
create function has_terms(s session, i jsonb) returns boolean
language sql immutable set search_path = reprise, pg_catalog, pg_temp as $$
  select s.project = i->>'project' and s.form = i->>'form' and s.visible = i->>'visible'
$$;

create function hello(p_device uuid, p_label text) returns jsonb
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  insert into device values (p_device, session_user, left(p_label, 200))
    on conflict (id) do update set label = excluded.label
    where device.owner = session_user and device.label <> excluded.label;
  perform check_device(p_device);
  return (select jsonb_build_object('id', id, 'version', version, 'owner', session_user) from store);
end $$;

-- Opens sessions and their first branches. A project that nobody has named yet is made, for all members.
-- A private session makes none: the name of its project is its owner's.
create function claim(p jsonb, p_device uuid) returns jsonb
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
declare i jsonb; s session; told jsonb := '{}';
begin
  perform check_device(p_device);
  for i in select * from jsonb_array_elements(p) loop
    if i->>'visible' = 'team' then
      if pg_has_role(session_user, 'reprise_member', 'member') then
        insert into project (id) values (i->>'project') on conflict do nothing;
      end if;
      if not i->>'project' = any (my_projects()) then
        raise insufficient_privilege using message = 'you are no reader of project ' || (i->>'project');
      end if;
    end if;
    insert into session (owner, id, project, device, form, visible, keys)
      values (session_user, i->>'id', i->>'project', p_device, i->>'form', i->>'visible', decode(i->>'keys', 'hex'))
      on conflict do nothing;
    select * into s from session where owner = session_user and id = i->>'id';
    if s.withdrawn_at is null and not has_terms(s, i) and (i->>'replace')::boolean then
      delete from branch where owner = session_user and session = s.id;
      update session set (project, device, form, visible, keys) =
          (i->>'project', p_device, i->>'form', i->>'visible', decode(i->>'keys', 'hex'))
        where owner = session_user and id = s.id returning * into s;
    end if;
    if s.withdrawn_at is not null then
      told := told || jsonb_build_object(s.id, 'withdrawn');
    elsif has_terms(s, i) then
      insert into branch (owner, session, n, device, len, head)
        values (session_user, s.id, 1, p_device, 0, '') on conflict do nothing;
      told := told || jsonb_build_object(s.id, 'open');
    else
      told := told || jsonb_build_object(s.id, 'other-terms');
    end if;
  end loop;
  return told;
end $$;

-- Compares, and appends: p_i says where, and under which terms the caller shares the session.
create function append(p_i jsonb, p_bytes bytea, out status text, out o_len bigint, out o_head bytea)
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
declare
  b branch; s session; p_session text := p_i->>'session'; p_n int := p_i->>'n';
  p_off bigint := p_i->>'off'; p_len int := p_i->>'len'; p_prev bytea := decode(p_i->>'prev', 'hex');
  p_sha bytea := decode(p_i->>'sha', 'hex'); h bytea := sha256(p_prev || p_sha);
begin
  select * into b from branch
    where owner = session_user and session = p_session and n = p_n for update;
  select * into s from session where owner = session_user and id = p_session;
  if b is null then
    raise insufficient_privilege using message = 'no session of yours: ' || p_session;
  end if;
  if b.len = p_off and b.head = p_prev and has_terms(s, p_i) then
    insert into segment values (session_user, p_session, p_n, p_off, p_len, p_sha, h,
      (p_i->>'codec')::smallint, p_bytes);
    update branch set len = p_off + p_len, head = h, changed_at = clock_timestamp(),
        signer = decode(p_i#>>'{signed,by}', 'hex'),
        signature = decode(p_i#>>'{signed,signature}', 'hex')
      where owner = session_user and session = p_session and n = p_n;
    update session set changed_at = clock_timestamp() where owner = session_user and id = p_session;
    if p_i ? 'summary' then
      insert into summary values (session_user, p_session, p_n, (p_i#>>'{summary,len}')::bigint,
          p_i#>>'{summary,made_by}', p_i#>'{summary,row}')
        on conflict (owner, session, n) do update
          set (len, made_by, row) = (excluded.len, excluded.made_by, excluded.row)
          where summary.len <= excluded.len;
    end if;
    status := 'appended'; o_len := p_off + p_len; o_head := h;
  else
    status := case when has_terms(s, p_i) and exists (select from segment where owner = session_user
        and session = p_session and n = p_n and off = p_off and head = h)
      then 'already' else 'moved' end;
    o_len := b.len; o_head := b.head;
  end if;
end $$;

-- One round trip and one commit for many segments. In the order of ids, so that two pushes never wait
-- for each other in a circle.
create function append_many(p_items jsonb, p_blob bytea) returns jsonb
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
declare i jsonb; r record; done jsonb := '[]';
begin
  perform from branch b where owner = session_user and exists (
      select from jsonb_array_elements(p_items) x
      where x->>'session' = b.session and (x->>'n')::int = b.n)
    order by session, n for update;
  for i in select * from jsonb_array_elements(p_items) loop
    select * into r from append(i, substring(p_blob from (i->>'at')::int + 1 for (i->>'size')::int));
    done := done || jsonb_build_object(
      'status', r.status, 'len', r.o_len, 'head', encode(r.o_head, 'hex'));
  end loop;
  return done;
end $$;

create function new_branch(p_session text, p_known int, p_device uuid, p_base_n int, p_base_len bigint)
returns int
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
declare top int; h bytea;
begin
  perform check_device(p_device);
  perform from session where owner = session_user and id = p_session and withdrawn_at is null
    for update;
  if not found then
    raise insufficient_privilege using message = 'no session of yours: ' || p_session;
  end if;
  select max(n) into top from branch where owner = session_user and session = p_session;
  -- There is one that the caller has not seen: it has to look again.
  if top is distinct from p_known then return null; end if;
  if top >= 100 then
    raise program_limit_exceeded using message = p_session || ' has 100 branches, and takes no other';
  end if;
  if p_base_len > 0 then
    select head into strict h from segment where owner = session_user and session = p_session
      and n = p_base_n and off + len = p_base_len;
  end if;
  insert into branch (owner, session, n, device, base_n, base_len, len, head)
    values (session_user, p_session, top + 1, p_device, p_base_n, p_base_len, p_base_len, coalesce(h, ''));
  update session set changed_at = clock_timestamp() where owner = session_user and id = p_session;
  return top + 1;
end $$;

-- Of copies alone: a log never shrinks. What another branch begins behind stays.
create function rewind(p_session text, p_n int, p_prev bytea, p_to bigint) returns boolean
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  perform from branch b join session s on (s.owner, s.id) = (b.owner, b.session)
    where b.owner = session_user and b.session = p_session and b.n = p_n and s.form = 'copy'
      and b.head = p_prev
      and not exists (select from branch c where c.owner = b.owner and c.session = b.session
        and c.base_n = b.n and c.base_len > p_to)
    for update of b;
  if not found then return false; end if;
  delete from segment where owner = session_user and session = p_session and n = p_n and off >= p_to;
  update branch set (len, head, signer, signature) = (
      select coalesce(max(off + len), 0), coalesce((array_agg(g.head order by off desc))[1], ''), null::bytea, null::bytea
      from segment g where g.owner = session_user and g.session = p_session and g.n = p_n),
      changed_at = clock_timestamp()
    where owner = session_user and session = p_session and n = p_n;
  update session set changed_at = clock_timestamp() where owner = session_user and id = p_session;
  delete from summary where owner = session_user and session = p_session and n = p_n;
  return true;
end $$;

create function rekey(p_session text, p_keys bytea) returns boolean
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  update session set keys = p_keys where owner = session_user and id = p_session
    and form = 'sealed' and withdrawn_at is null;
  return found;
end $$;

-- The latest wins.
create function put_mark(p_ref text, p_field text, p_value jsonb, p_time timestamptz, p_device uuid)
returns boolean
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  perform check_device(p_device);
  if p_time > now() + interval '5 minutes' then
    raise invalid_parameter_value using message = 'your clock is ahead';
  end if;
  insert into mark (owner, ref, field, value, time, device)
    values (session_user, p_ref, p_field, p_value, p_time, p_device)
    on conflict (owner, ref, field) do update
      set value = excluded.value, time = excluded.time, device = excluded.device, seen = default
      where (excluded.time, excluded.device) > (mark.time, mark.device);
  return found;
end $$;

-- Bytes go, the tombstone stays: no device shares it again.
create function withdraw(p_session text) returns boolean
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  update session set withdrawn_at = coalesce(withdrawn_at, now()), keys = null
    where owner = session_user and id = p_session;
  if not found then return false; end if;
  delete from branch where owner = session_user and session = p_session;
  delete from mark where owner = session_user and ref = p_session;
  return true;
end $$;

-- The role may be there, made by an administrator: then no right to make roles is needed.
do $$ begin
  if not exists (select from pg_roles where rolname = 'reprise_member') then
    create role reprise_member nologin;
  end if;
exception when duplicate_object then null;
end $$;
-- Whoever makes the store shares sessions in it, too.
do $$ begin
  if not pg_has_role(session_user, 'reprise_member', 'member') then
    execute format('grant reprise_member to %I', session_user);
  end if;
end $$;
grant usage on schema reprise to reprise_member;
grant select on store, device, project, session, branch, segment, summary, mark to reprise_member;

revoke execute on all functions in schema reprise from public;
grant execute on all functions in schema reprise to reprise_member;
revoke execute on function append(jsonb, bytea), has_terms(session, jsonb) from reprise_member;
insert into store (version) values (2);