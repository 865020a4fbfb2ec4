/** The policies by which members read, and the functions that read for them. */

/** The SQL statements that make the functions for reading. */
export const READING = `
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
`;
