import{b as m}from"./chunk-UOHPEDNI.js";import{e as j}from"./chunk-F3E5AXEG.js";import{a as g}from"./chunk-URP3TVL7.js";import{$a as f,Aa as k,Ab as x,cb as _,ea as p}from"./chunk-M6V6HMT5.js";import{d as h,n as d}from"./chunk-MATCZ3A6.js";import{Buffer as ee}from"node:buffer";import{join as A}from"node:path";var O="10 minutes",F=128*1024,c="reprise_member",H=`
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

-- Only reads, so that a replica greets too. A device is known once it has shared something.
create function hello(p_device uuid, p_label text) returns jsonb
language plpgsql stable security definer set search_path = reprise, pg_catalog, pg_temp as $$
declare d device;
begin
  select * into d from device where id = p_device;
  if d.owner <> session_user then perform check_device(p_device); end if;
  return (select jsonb_build_object('id', id, 'version', version, 'owner', session_user,
    'is_known', coalesce(d.label = left(p_label, 200), false)) from store);
end $$;

create function register(p_device uuid, p_label text) returns void
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  insert into device values (p_device, session_user, left(p_label, 200))
    on conflict (id) do update set label = excluded.label
    where device.owner = session_user and device.label <> excluded.label;
  perform check_device(p_device);
end $$;

-- Moves a session to the front of lists, once in ten minutes: each move writes its row and all indexes.
create function touch(p_session text) returns void
language sql security definer set search_path = reprise, pg_catalog, pg_temp as $$
  update session set changed_at = clock_timestamp()
    where owner = session_user and id = p_session
      and changed_at < clock_timestamp() - interval '${O}'
$$;

-- Opens sessions and their first branches. A project that nobody has named yet is made, for all members.
-- A private session makes none: the name of its project is its owner's.
create function claim(p jsonb, p_device uuid) returns jsonb
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
declare i jsonb; s session; told jsonb := '{}'; r name; rules policy;
begin
  perform check_device(p_device);
  select * into rules from policy;
  for i in select * from jsonb_array_elements(p) loop
    r := null;
    if i->>'visible' = 'team' then
      if exists (select from pg_roles where rolname = rules.makers
          and pg_has_role(session_user, oid, 'member')) then
        insert into project (id) values (i->>'project') on conflict do nothing;
      end if;
      -- Locked, so that its readers are not changed before the session is there.
      select readers into r from project where id = i->>'project' for share;
      if r is null or r not in (select my_roles()) then
        raise insufficient_privilege using message = 'you are no reader of project ' || (i->>'project');
      end if;
    end if;
    perform check_rules(rules, i);
    insert into session (owner, id, project, device, form, visible, keys, readers)
      values (session_user, i->>'id', i->>'project', p_device, i->>'form', i->>'visible',
        decode(i->>'keys', 'hex'), r)
      on conflict do nothing;
    select * into s from session where owner = session_user and id = i->>'id';
    if s.withdrawn_at is null and not has_terms(s, i) and (i->>'replace')::boolean then
      perform keep_if_held(s.id);
      delete from branch where owner = session_user and session = s.id;
      delete from mark where owner = session_user and ref = s.id;
      update session set (project, device, form, visible, keys, readers) =
          (i->>'project', p_device, i->>'form', i->>'visible', decode(i->>'keys', 'hex'), r)
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

create function put_words(p_session text, p_n int, p_off bigint, p_words tsvector) returns void
language sql security definer set search_path = reprise, pg_catalog, pg_temp as $$
  insert into words select session_user, p_session, p_n, p_off, p_words where p_words <> ''
    on conflict (owner, session, n, off) do update set words = excluded.words
    where words.words <> excluded.words
$$;

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
    insert into segment (owner, session, n, off, len, sha, head, codec, bytes) values (
      session_user, p_session, p_n, p_off, p_len, p_sha, h, (p_i->>'codec')::smallint, p_bytes);
    update branch set len = p_off + p_len, head = h, changed_at = clock_timestamp(),
        stored = stored + octet_length(p_bytes),
        signer = decode(p_i#>>'{signed,by}', 'hex'),
        signature = decode(p_i#>>'{signed,signature}', 'hex')
      where owner = session_user and session = p_session and n = p_n;
    perform touch(p_session);
    if p_i ? 'summary' then
      insert into summary values (session_user, p_session, p_n, (p_i#>>'{summary,len}')::bigint,
          p_i#>>'{summary,made_by}', p_i#>'{summary,row}')
        on conflict (owner, session, n) do update
          set (len, made_by, row) = (excluded.len, excluded.made_by, excluded.row)
          where summary.len <= excluded.len;
      perform put_words(p_session, p_n, -1, row_words(p_i#>'{summary,row}'));
    end if;
    if p_i ? 'text' and s.form = 'copy' then
      perform put_words(p_session, p_n, p_off,
        to_tsvector('pg_catalog.simple'::regconfig, left(p_i->>'text', ${F})));
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
  -- Only now: items may overlap in p_blob, and store more bytes than it has.
  perform check_quota();
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
  if top >= ${g} then
    raise program_limit_exceeded using message = p_session || ' has ${g} branches, and takes no other';
  end if;
  if p_base_len > 0 then
    select head into strict h from segment where owner = session_user and session = p_session
      and n = p_base_n and off + len = p_base_len;
  end if;
  insert into branch (owner, session, n, device, base_n, base_len, len, head)
    values (session_user, p_session, top + 1, p_device, p_base_n, p_base_len, p_base_len, coalesce(h, ''));
  perform touch(p_session);
  return top + 1;
end $$;
`,q=`
-- The rules for what is shared from now on. The store's owner changes them.
create table policy (
  one boolean primary key default true check (one),
  forms text[] not null default '{log,copy,sealed}'
    check (forms <@ '{log,copy,sealed}' and forms <> '{}'),
  -- Members of this role name new projects; all others share in those that are there.
  makers name not null default '${c}',
  member_bytes bigint check (member_bytes >= 0),
  project_bytes bigint check (project_bytes >= 0),
  -- Sessions that did not change for so many days are deleted by expire().
  kept_days int check (kept_days > 0),
  audited boolean not null default false);
insert into policy default values;
-- Who read a session of another member.
create table reading (
  time timestamptz not null default clock_timestamp(), reader name not null default session_user,
  owner name not null, session text not null, n int not null);
create index on reading (owner, session, time);
create index on reading using brin (time);
-- Sessions that nothing deletes: of a member, of a project, or one; null fits all.
create table hold (
  id int generated always as identity primary key,
  owner name, project text, session text, reason text not null,
  made_at timestamptz not null default now());
`,W=`
create function is_held(s session) returns boolean
language sql stable security definer set search_path = reprise, pg_catalog, pg_temp as $$
  select exists (select from hold h where coalesce(h.owner, s.owner) = s.owner
    and coalesce(h.project, s.project) = s.project and coalesce(h.session, s.id) = s.id)
$$;

create function keep_if_held(p_session text) returns void
language plpgsql stable security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  if (select is_held(s) from session s where owner = session_user and id = p_session) then
    raise exception using errcode = 'RP001', message = p_session || ' is kept by a legal hold';
  end if;
end $$;

create function keep_held() returns trigger
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  if is_held(old) then
    raise exception using errcode = 'RP001', message = old.id || ' is kept by a legal hold';
  end if;
  return old;
end $$;
create trigger keep_held before delete on session for each row execute function keep_held();

create function set_readers() returns trigger
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  update session set readers = case when tg_op = 'DELETE' then null else new.readers end
    where project = coalesce(new.id, old.id) and visible = 'team' and withdrawn_at is null;
  return null;
end $$;
create trigger set_readers after insert or update of readers or delete on project
  for each row execute function set_readers();

-- Refuses a new session that the rules leave out; one that is there goes on.
create function check_rules(p policy, i jsonb) returns void
language plpgsql stable security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  if exists (select from session s where owner = session_user and id = i->>'id'
      and has_terms(s, i)) then return; end if;
  if not coalesce(i->>'form' = any (p.forms), true) then
    raise exception using errcode = 'RP001', message = 'this store takes no session as ' || (i->>'form')
      || ', only as ' || array_to_string(p.forms, ', ');
  end if;
  -- A private session's project is known to its owner alone, and is in no quota.
  if i->>'visible' = 'team' and p.project_bytes <= (
      select sum(stored) from branch b join session s on (s.owner, s.id) = (b.owner, b.session)
      where project = i->>'project' and s.visible = 'team') then
    raise exception using errcode = 'RP001', message = 'project ' || (i->>'project')
      || ' has used its quota: it takes no new session';
  end if;
end $$;

create function check_quota() returns void
language plpgsql stable security definer set search_path = reprise, pg_catalog, pg_temp as $$
declare most bigint := (select member_bytes from policy);
begin
  if most is null then return; end if;
  if most < (select sum(stored) from branch where owner = session_user) then
    raise exception using errcode = 'RP001', message = 'you have used your quota of this store';
  end if;
end $$;

-- Deletes what is older than the rules keep, and what was withdrawn while it was held.
create function expire() returns int
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
declare expired int;
begin
  update session s set withdrawn_at = now(), readers = null from policy p
    where changed_at < now() - make_interval(days => p.kept_days) - interval '${O}'
      and withdrawn_at is null and not is_held(s);
  get diagnostics expired = row_count;
  delete from branch b using session s where (s.owner, s.id) = (b.owner, b.session)
    and s.withdrawn_at is not null and not is_held(s);
  update session s set keys = null where withdrawn_at is not null and keys is not null
    and not is_held(s);
  return expired;
end $$;

create view members as
  select coalesce(rolname, owner) as member, coalesce(is_member, false) as is_member,
    coalesce(sessions, 0) as sessions, coalesce(stored, 0)::bigint as stored_bytes,
    coalesce(len, 0)::bigint as plain_bytes, last_push
  from (select rolname, pg_has_role(oid, '${c}', 'member') as is_member
    from pg_roles where rolcanlogin) r
  full join (select s.owner, count(distinct s.id) as sessions, sum(stored) as stored,
      sum(len - base_len) as len, max(b.changed_at) as last_push
    from session s left join branch b on (b.owner, b.session) = (s.owner, s.id) group by 1) o
    on rolname = owner
  where is_member or owner is not null;
create view projects as
  select project, readers, count(distinct s.owner) as members, count(distinct (s.owner, s.id)) as sessions,
    coalesce(sum(stored), 0)::bigint as stored_bytes, max(b.changed_at) as last_push
  from session s left join branch b on (b.owner, b.session) = (s.owner, s.id)
  where withdrawn_at is null and visible = 'team' group by project, readers;
-- One row, for a monitor that reads figures by SQL.
create view metrics as
  select (select count(*) from session where withdrawn_at is null) as sessions,
    (select count(*) from session where withdrawn_at is not null) as withdrawn,
    (select count(distinct owner) from session) as members,
    (select count(*) from device) as devices,
    (select count(*) from session where changed_at > now() - interval '1 day') as changed_in_a_day,
    (select coalesce(sum(stored), 0)::bigint from branch) as stored_bytes,
    (select coalesce(sum(len - base_len), 0)::bigint from branch) as plain_bytes,
    (select sum(pg_total_relation_size(oid))::bigint from pg_class
      where relnamespace = 'reprise'::regnamespace and relkind = 'r') as disk_bytes;
`,z=`
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
  perform keep_if_held(p_session);
  -- Bytes of a block are kept by its first segment: a part of a block would keep all of them.
  if exists (select from segment where owner = session_user and session = p_session and n = p_n
      and off >= p_to and block < p_to) then
    raise invalid_parameter_value using message = 'a copy is not cut within a block';
  end if;
  delete from segment where owner = session_user and session = p_session and n = p_n and off >= p_to;
  delete from words where owner = session_user and session = p_session and n = p_n
    and (off >= p_to or off = -1);
  update branch set (len, head, stored, signer, signature) = (
      select coalesce(max(off + len), 0), coalesce((array_agg(g.head order by off desc))[1], ''),
        coalesce(sum(octet_length(g.bytes)), 0), null::bytea, null::bytea
      from segment g where g.owner = session_user and g.session = p_session and g.n = p_n),
      changed_at = clock_timestamp()
    where owner = session_user and session = p_session and n = p_n;
  perform touch(p_session);
  delete from summary where owner = session_user and session = p_session and n = p_n;
  return true;
end $$;

-- Puts the bytes of many segments into the first of them. Their hashes stay, so that whoever reads
-- finds out what is wrong. False where they are no whole run, or another device was faster, and for
-- a held session: these bytes cannot be checked here.
create function fold(p_session text, p_n int, p_off bigint, p_to bigint, p_head bytea,
  p_codec smallint, p_bytes bytea) returns boolean
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
declare r record;
begin
  perform from branch where owner = session_user and session = p_session and n = p_n for update;
  select count(*) as count, sum(len) as len, min(off) as off, max(off + len) as "to",
      sum(octet_length(bytes)) as stored, count(block) as folded,
      (array_agg(head order by off desc))[1] as head into r
    from segment where owner = session_user and session = p_session and n = p_n
      and off >= p_off and off < p_to;
  if r.count < 2 or r.folded > 0 or (r.off, r."to", r.len, r.head) is distinct from
      (p_off, p_to, p_to - p_off, p_head) or octet_length(p_bytes) >= r.stored
      or (select is_held(s) from session s where owner = session_user and id = p_session) then
    return false;
  end if;
  update segment set block = p_off, codec = p_codec,
      block_len = p_to - p_off,
      bytes = case when off = p_off then p_bytes else '' end
    where owner = session_user and session = p_session and n = p_n and off >= p_off and off < p_to;
  update branch set stored = stored - r.stored + octet_length(p_bytes)
    where owner = session_user and session = p_session and n = p_n;
  return true;
end $$;

-- Other keys may open nothing, so those of a held session stay.
create function rekey(p_session text, p_keys bytea) returns boolean
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  perform keep_if_held(p_session);
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

-- Bytes go, the tombstone stays: no device shares it again. expire() deletes those of a held one after its release.
create function withdraw(p_session text) returns boolean
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
begin
  update session s set withdrawn_at = coalesce(withdrawn_at, now()), readers = null,
      keys = case when is_held(s) then keys end
    where owner = session_user and id = p_session;
  if not found then return false; end if;
  delete from branch using session s where branch.owner = session_user and session = p_session
    and (s.owner, s.id) = (session_user, p_session) and not is_held(s);
  delete from mark where owner = session_user and ref = p_session;
  return true;
end $$;
`,X=`
-- The roles that read a project, and that the member has. Each is found by a step in the index.
create function my_roles() returns setof name
language sql stable rows 1 security definer set search_path = reprise, pg_catalog, pg_temp as $$
  with recursive r (role) as (
    (select readers from project order by readers limit 1)
    union all
    select (select readers from project where readers > role order by readers limit 1)
      from r where role is not null)
  select role from r join pg_roles on rolname = role
  where pg_has_role(session_user, oid, 'member')
$$;
alter table session enable row level security;
alter table branch enable row level security;
alter table segment enable row level security;
alter table summary enable row level security;
-- Without a policy: members search its words by find_words() alone.
alter table words enable row level security;
alter table mark enable row level security;
-- Names of projects tell what others work on.
alter table project enable row level security;
create policy r on session for select using (
  owner = session_user or readers = any (array(select my_roles())));
-- \`offset 0\` keeps the planner from reading all sessions into a table, instead of one by its key.
create policy r on branch for select using (
  exists (select from session s where (s.owner, s.id) = (branch.owner, branch.session) offset 0));
create policy r on segment for select using (
  exists (select from session s where (s.owner, s.id) = (segment.owner, segment.session) offset 0));
create policy r on summary for select using (
  exists (select from session s where (s.owner, s.id) = (summary.owner, summary.session) offset 0));
create policy r on mark for select using (owner = session_user);
create policy r on project for select using (readers = any (array(select my_roles())));

-- Gives segments until they hold p_bytes. Those of a block come with its bytes at the first of them.
create function read_segments(p_ranges jsonb, p_bytes bigint)
returns table (i int, off bigint, len int, sha text, head text, codec smallint,
  block bigint, block_len int, bytes bytea)
language plpgsql security definer set search_path = reprise, pg_catalog, pg_temp as $$
#variable_conflict use_column
declare roles name[] := array(select my_roles());
begin
  if (select audited from policy) then
    insert into reading (owner, session, n)
      select distinct w.owner, w.session, w.n from jsonb_to_recordset(p_ranges)
        as w (owner name, session text, n int)
      join session s on (s.owner, s.id) = (w.owner, w.session)
      where s.owner <> session_user and s.readers = any (roles);
  end if;
  return query
  with wanted as (
    select w.* from jsonb_to_recordset(p_ranges)
      as w (i int, owner name, session text, n int, "from" bigint, "to" bigint)
    join session s on (s.owner, s.id) = (w.owner, w.session)
    where s.owner = session_user or s.readers = any (roles)),
  placed as (
    select w.i, g.owner, g.session, g.n, g.off, g.len, g.sha, g.head, g.codec, g.block, g.block_len,
      coalesce(g.block, g.off) as place
    from wanted w join segment g on (g.owner, g.session, g.n) = (w.owner, w.session, w.n)
      and g.off >= w."from" and (w."to" is null or g.off < w."to")),
  -- The bytes of each place, once.
  kept as (
    select p.i, p.place, p.off, k.bytes,
      sum(octet_length(k.bytes)) over (order by p.i, p.place) - octet_length(k.bytes) as before
    from (select i, owner, session, n, place, min(off) as off from placed group by 1, 2, 3, 4, 5) p
    join segment k on (k.owner, k.session, k.n, k.off) = (p.owner, p.session, p.n, p.place))
  select p.i, p.off, p.len, encode(p.sha, 'hex'), encode(p.head, 'hex'), p.codec, p.block,
    p.block_len, case when p.off = k.off then k.bytes end
  from kept k join placed p using (i, place) where k.before < p_bytes order by p.i, p.off;
end $$;

-- The words of what a list shows. Of a sealed session there are none.
create function row_words(p_row jsonb) returns tsvector
language sql immutable set search_path = reprise, pg_catalog, pg_temp as $$
  select to_tsvector('pg_catalog.simple'::regconfig, left(concat_ws(' ', p_row->>'title',
    p_row->>'first_user_message', p_row->>'last_user_message'), 100000))
$$;

-- Branches in whose summary, or in one part of whose copy, all words are; the newest first.
create function find_words(p_query text, p_limit int)
returns table (owner name, session text, n int)
language plpgsql stable security definer set search_path = reprise, pg_catalog, pg_temp as $$
#variable_conflict use_column
declare roles name[] := array(select my_roles());
  query tsquery := to_tsquery('pg_catalog.simple'::regconfig, p_query);
begin
  return query
  select b.owner, b.session, b.n from branch b
  join session s on (s.owner, s.id) = (b.owner, b.session)
  where (b.owner, b.session, b.n) in (
      select w.owner, w.session, w.n from words w where words @@ query)
    and s.withdrawn_at is null and (s.owner = session_user or s.readers = any (roles))
  order by b.changed_at desc limit p_limit;
end $$;
`,I=3,P=m+1024*1024,E=256*1024,S=16,J=`
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
  readers name not null default '${c}');
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
  row jsonb not null check (octet_length(row::text) <= ${E}),
  primary key (owner, session, n),
  foreign key (owner, session, n) references branch on delete cascade);
create table mark (
  owner name, ref text check (length(ref) <= 1000),
  field text,
  value jsonb not null check (octet_length(value::text) <= ${E}), time timestamptz not null,
  device uuid not null references device,
  seen bigint generated always as identity,
  primary key (owner, ref, field));
create index on mark (owner, seen);
`,C=`
create table segment (
  owner name, session text, n int, off bigint,
  len int not null check (len between 1 and ${m}),
  sha bytea not null check (octet_length(sha) = 32),
  head bytea not null check (octet_length(head) = 32),
  codec smallint not null check (codec in (0, 1, 2)),
  bytes bytea not null check (octet_length(bytes) <= ${P}),
  -- The offset of the segment that keeps the bytes of this one too, and the plain bytes of all of them.
  block bigint check (block <= off),
  block_len int check (block_len between 1 and ${m}),
  primary key (owner, session, n, off),
  foreign key (owner, session, n) references branch on delete cascade)
  partition by hash (owner, session);
do $$ begin
  for part in 0..${S-1} loop
    execute format('create table segment_%s partition of segment
      for values with (modulus ${S}, remainder %s)', part, part);
    -- Compressed already: PostgreSQL does not try again.
    execute format('alter table segment_%s alter bytes set storage external,
      set (autovacuum_vacuum_insert_scale_factor = 0.05)', part);
  end loop;
end $$;
`,L=`
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
`,Y=`
-- The role may be there, made by an administrator: then no right to make roles is needed.
do $$ begin
  if not exists (select from pg_roles where rolname = '${c}') then
    create role ${c} nologin;
  end if;
exception when duplicate_object then null;
end $$;
-- Whoever makes the store shares sessions in it, too.
do $$ begin
  if not pg_has_role(session_user, '${c}', 'member') then
    execute format('grant ${c} to %I', session_user);
  end if;
end $$;
grant usage on schema reprise to ${c};
grant select on store, device, project, session, branch, summary, mark to ${c};
`,M=`
grant select (owner, session, n, off, len, sha, head, codec, block, block_len) on segment
  to ${c};
revoke execute on all functions in schema reprise from public;
grant execute on function hello(uuid, text), register(uuid, text), claim(jsonb, uuid),
  append_many(jsonb, bytea), new_branch(text, int, uuid, int, bigint), rewind(text, int, bytea, bigint),
  fold(text, int, bigint, bigint, bytea, smallint, bytea), rekey(text, bytea), withdraw(text),
  put_mark(text, text, jsonb, timestamptz, uuid), my_roles(), read_segments(jsonb, bigint),
  find_words(text, int) to ${c};
`,V=`
do $$ begin
  execute format('alter database %I set jit = off', current_database());
exception when insufficient_privilege then null;
end $$;
`,U=V+X+H+z+W,xt="create schema reprise; set local search_path = reprise, pg_catalog;"+J+C+L+q+Y+U+M+`insert into store (version) values (${I});`,K=`
alter table session drop constraint session_project_fkey,
  add check (length(project) <= 1000);
alter table branch
  add signer bytea check (octet_length(signer) = 32),
  add signature bytea check (octet_length(signature) = 64);
-- Names of projects that have private sessions alone.
delete from project p where readers = '${c}'
  and exists (select from session s where s.project = p.id)
  and not exists (select from session s where s.project = p.id and s.visible = 'team');
`,Q=`
alter table segment rename to old_segment;
-- Names of constraints are one's own in a schema.
do $$ declare c name; begin
  for c in select conname from pg_constraint where conrelid = 'old_segment'::regclass loop
    execute format('alter table old_segment rename constraint %I to %I', c, 'old_' || c);
  end loop;
end $$;
${C}
insert into segment (owner, session, n, off, len, sha, head, codec, bytes)
  select owner, session, n, off, len, sha, head, codec, bytes from old_segment;
drop table old_segment;
`,Z=`
update session s set readers = p.readers from project p
  where p.id = s.project and s.visible = 'team' and s.withdrawn_at is null;
update branch b set stored = g.stored from (
    select owner, session, n, sum(octet_length(bytes)) as stored from segment group by 1, 2, 3) g
  where (g.owner, g.session, g.n) = (b.owner, b.session, b.n);
insert into words select owner, session, n, -1, row_words(row) from summary
  where row_words(row) <> '';
`;function jt(e){return`
set local search_path = reprise, pg_catalog;
lock table store in access exclusive mode;
do $$ declare o record; begin
  if (select version from store) <> ${e} then
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
${e<2?K:""}${Q}${L}${q}${U}${M}
${Z}
update store set version = ${I};
`}var T={"bytes of JSON":64*1024*1024},se=40,D={rows:1e4,bytes:4*1024*1024},St={rows:1e6,bytes:256*1024*1024},Tt={rows:1e5,bytes:2*P+16*1024*1024};function At(e){if(e)return;let s="Cannot use the team's store: it answers what no store of sessions does";throw new p("damaged",s)}var te={16:e=>e==="t",17:e=>ee.from(e.slice(2),"hex"),21:Number,23:Number},ne=new Set([114,3802]),re=class{#n;#r;#e={...D,...T};#s={...this.#e};constructor(e){this.#n=e}types={getTypeParser:e=>ne.has(e)?this.#i:te[e]??String};watch(e,s){this.#r=e;let t=({length:n})=>this.#t("bytes",n);s?e.on("sslconnect",()=>e.stream.on("data",t)):e.stream.on("data",t),e.on("dataRow",()=>this.#t("rows",1)),e.on("rowDescription",({fieldCount:n})=>{n>se&&this.#o(`${n} columns`)})}begin(e){this.#e={...e,...T},this.#s={...this.#e}}#i=e=>(this.#t("bytes of JSON",e.length),this.#s["bytes of JSON"]<0?void 0:JSON.parse(e));#t(e,s){this.#s[e]-=s,this.#s[e]<0&&this.#o(`more than ${this.#e[e]} ${e}`)}#o(e){let s=`Cannot use the team's store: ${this.#n} answers one question with ${e}`;this.#r?.stream.destroy(new p("too-large",s))}},oe=/^08|^57P0[123]$|^53300$/;function ie(e,s,{host:t,database:n}){if(oe.test(e))return["unreachable",`${t} takes no connection: ${s}`];switch(e){case"28P01":case"28000":return["permission",`${t} refuses this user: ${s}; check the user, and the password in ~/.pgpass, PGPASSWORD or password_command`];case"3D000":return["not-found",`${t} has no database ${n}; its administrator makes it with createdb`];case"3F000":case"42P01":case"42883":return["unsupported-version",`${n} on ${t} has no store of sessions, or one of another version; its owner makes one with: reprise sync init URL`];case"42501":return["permission",`${n} on ${t} refuses: ${s}; its owner adds a member with: grant reprise_member to NAME`];case"RP001":return["permission",`${n} on ${t} refuses: ${s}`];case"42P06":return["unsupported-version",`${n} on ${t} holds a store already; leave sync init out`];case"53100":return["disk-full",`the disk of ${t} is full; nothing that was acknowledged is lost`];case"25006":return["permission",`${n} on ${t} can only be read; use the primary server`];case"22023":return["io",`${t} refuses: ${s}; set this machine's clock`];case"54000":return["too-large",`${t} refuses: ${s}`];case"57014":return["unreachable",`${t} did not answer a statement in time`];default:return["io",`${t} answers: ${s} (${e})`]}}var y={ECONNREFUSED:"no server listens there",ENOTFOUND:"there is no such host",EAI_AGAIN:"the name of the host cannot be looked up",ECONNRESET:"the connection broke",EPIPE:"the connection broke",ETIMEDOUT:"it does not answer",EHOSTUNREACH:"no way leads there",ENETUNREACH:"no way leads there",ENOENT:"no server listens on this socket",EACCES:"this socket may not be opened"},ae=/certificate|self[- ]signed|CERT_|UNABLE_TO_|DEPTH_ZERO|altnames|UnknownIssuer|NotValidForName/i;function ce({code:e="",message:s},{host:t}){return/client password must be a string|no password|SASL/i.test(s)?["permission",`${t} asks for a password; put it into ~/.pgpass (mode 0600), PGPASSWORD or password_command`]:/does not support SSL/i.test(s)?["unreachable",`${t} does not speak TLS; let its administrator switch it on`]:ae.test(`${e} ${s}`)?["unreachable",`the certificate of ${t} is not trusted: ${s}; name its authority by sslrootcert=FILE`]:e in y?["unreachable",`${t} cannot be reached: ${y[e]}`]:/timeout|timed out/i.test(s)?["unreachable",`${t} cannot be reached: it does not answer`]:["unreachable",`${t} cannot be reached: ${s||e||"the connection broke"}`]}function G(e,s,t){if(s instanceof p)return s;let n=s instanceof AggregateError?s.errors[0]:s,r=n instanceof Error?n:new Error(String(n)),o=r.code??"",[i,a]=/^[0-9A-Z]{5}$/.test(o)&&!(o in y)?ie(o,r.message.replaceAll(/\s+/g," ").trim(),t):ce(r,t);return new p(i,`Cannot ${e}: ${a}`,{},s)}var le=/((?:[^:\\]|\\.)*)(:|$)/gy;function de(e,s){let t=[s.host,s.port,s.database,s.user];for(let n of e.split(/\r?\n/)){if(n.startsWith("#"))continue;let r=pe(n),[o]=r.slice(t.length);if(t.every((a,l)=>r[l]==="*"||N(r[l]??"")===a)&&o!==void 0)return N(o)}}function pe(e){let s=[];for(let[,t="",n]of e.matchAll(le))if(s.push(t),n==="")break;return s}function N(e){return e.replaceAll(/\\(.)/g,"$1")}function me(e){let s=new URL(e),t=s.searchParams.get("host")??decodeURIComponent(s.hostname),n=decodeURIComponent(s.username)||s.searchParams.get("user")||d("PGUSER")||d("USER")||"";return{host:t===""||t.startsWith("/")?"localhost":t.replace(/^\[|\]$/g,""),port:s.port||s.searchParams.get("port")||"5432",database:decodeURIComponent(s.pathname.slice(1))||n,user:n}}function ue(e){let s=he();if(s!==void 0)try{let{mode:t}=k(s);return h!=="windows"&&((t??0)&63)!==0?void 0:de(_(s,f),me(e))}catch{return}}function he(){let e=d("PGPASSFILE");if(e)return e;if(h==="windows"){let t=d("APPDATA");return t&&A(t,"postgresql","pgpass.conf")}let s=d("HOME");return s&&A(s,".pgpass")}async function fe(){let{default:e}=await import("./esm-7OPGV5KP-RCMPWAQD.js");return e.Client}var _e=1e4,ge=6e4;function be({protection:e}){if(e.kind==="none")return!1;let{root_certificate:s,certificate:t,key:n}=e,r=(o,i)=>o&&_(o,f,{what:i});return x({rejectUnauthorized:!0,ca:r(s,"root certificate"),cert:r(t,"client certificate"),key:r(n,"key of the client certificate")})}function we(e,s){if(s===void 0)return e;let t=new URL(e);return t.password=encodeURIComponent(s),t.href}function ye(e){if(!(new URL(e).password!==""||d("PGPASSWORD")))return ue(e)}async function Rt(e,s={}){let t=xe(e,s.insecure),n={host:t.host,database:decodeURIComponent(new URL(t.url).pathname.slice(1))||"the database"},r=await fe(),o=be(t),i=new re(n.host),a=new r({connectionString:we(t.url,s.password??ye(t.url)),ssl:o,application_name:"reprise",connectionTimeoutMillis:_e,query_timeout:s.statement_ms??ge,keepAlive:!0,types:i.types});a.on("error",()=>{}),i.watch(a.connection,o!==!1);try{await a.connect()}catch(l){throw a.end().catch(()=>{}),G("connect to the team's store",l,n)}return ve(a,i,n)}function ve(e,s,t){return{async rows(n,r,o=[],i=D){s.begin(i);try{return(await e.query(r,o)).rows}catch(a){throw G(n,a,t)}},[Symbol.asyncDispose]:async()=>{try{await e.end()}catch{}}}}var $e=["sslmode","sslrootcert","sslcert","sslkey","ssl","uselibpqcompat"],ke=/^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i,R=["disable","allow","prefer"],b=["require","verify-ca","verify-full"];function w(e){return new p("invalid-config",`Cannot use this store's address: ${e}`)}function xe(e,s=!1){let t=new URL(j(e)),n=t.searchParams.get("host"),r=n??t.hostname,o=t.searchParams.get("sslmode")??void 0,i=u=>t.searchParams.get(u)||void 0,[a,l]=[i("sslcert"),i("sslkey")];if(o!==void 0&&![...R,...b].includes(o))throw w(`sslmode is one of ${[...R,...b].join(", ")}`);if(a===void 0!=(l===void 0))throw w("a client certificate needs both, sslcert=FILE and sslkey=FILE");let B=i("sslrootcert");for(let u of $e)t.searchParams.delete(u);let v=n?.startsWith("/")||ke.test(r),$=v?!b.includes(o??""):o==="disable";if($&&!v&&!s)throw w(`${r} is another machine, and sslmode=disable sends all in the clear; leave it out, or add --insecure`);return{url:t.href,host:r,protection:$||n?.startsWith("/")?{kind:"none"}:{kind:"verified",host:r,root_certificate:B,certificate:a,key:l}}}export{O as a,c as b,I as c,xt as d,jt as e,St as f,Tt as g,At as h,Rt as i};
