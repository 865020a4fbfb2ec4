/** The functions by which members change their shared sessions, mark them and withdraw them. */

/** The SQL statements that make the functions for changes. */
export const CHANGING = `
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
`;
