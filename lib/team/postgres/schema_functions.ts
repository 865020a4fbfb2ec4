/**
 * The functions by which members write: they have no other right to. Each writes rows of
 * `session_user` alone, and pins its search path.
 */
import { MAX_BRANCHES } from "../team_store.ts";

/** The role whose members may read projects, unless a project names another one. */
export const MEMBER_ROLE = "reprise_member";

/** The statements that make them. */
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
      if pg_has_role(session_user, '${MEMBER_ROLE}', 'member') then
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
  if top >= ${MAX_BRANCHES} then
    raise program_limit_exceeded using message = p_session || ' has ${MAX_BRANCHES} branches, and takes no other';
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
`;
