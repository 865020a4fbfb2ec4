/**
 * The functions by which members write: they have no other right to. Each writes rows of
 * `session_user` alone, and pins its search path.
 */
import { MAX_BRANCHES } from "../team_store.ts";

/** Longest time that `changed_at` may lag behind a session's branches, as an SQL interval. */
export const TOUCH = "10 minutes";
/** The most characters of a segment's text that are indexed for searches. */
const MAX_TEXT = 128 * 1024;

/** The role whose members may read projects, unless a project names another one. */
export const MEMBER_ROLE = "reprise_member";

/** The SQL that creates the functions that share and append. */
export const WRITING = `
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
      and changed_at < clock_timestamp() - interval '${TOUCH}'
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
        raise insufficient_privilege using message = 'you are no reader of project ' || (i->>'project'),
          hint = coalesce('grant ' || quote_ident(r) || ' to ' || quote_ident(session_user), '');
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
    raise insufficient_privilege using message = 'not your session: ' || p_session;
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
        to_tsvector('pg_catalog.simple'::regconfig, left(p_i->>'text', ${MAX_TEXT})));
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
    raise insufficient_privilege using message = 'not your session: ' || p_session;
  end if;
  select max(n) into top from branch where owner = session_user and session = p_session;
  -- There is one that the caller has not seen: it has to look again.
  if top is distinct from p_known then return null; end if;
  if top >= ${MAX_BRANCHES} then
    raise program_limit_exceeded using message = p_session || ' has ${MAX_BRANCHES} branches, which is the limit';
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
`;
