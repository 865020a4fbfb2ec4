/** Rules, quotas, audit, retention, legal holds and figures of a store. */
import { MEMBER_ROLE, TOUCH } from "./schema_functions.ts";

/** The SQL that creates the tables of the administration. Members cannot read them. */
export const ADMINISTRATION_TABLES = `
-- The rules for what is shared from now on. The store's owner changes them.
create table policy (
  one boolean primary key default true check (one),
  forms text[] not null default '{log,copy,sealed}'
    check (forms <@ '{log,copy,sealed}' and forms <> '{}'),
  -- Members of this role name new projects; all others share in those that are there.
  makers name not null default '${MEMBER_ROLE}',
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
`;

/** The SQL that creates functions and views. Only the owner may use `expire` and the views. */
export const ADMINISTRATION = `
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
    where changed_at < now() - make_interval(days => p.kept_days) - interval '${TOUCH}'
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
  from (select rolname, pg_has_role(oid, '${MEMBER_ROLE}', 'member') as is_member
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
`;
