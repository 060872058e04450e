-- Visits of the app's screens: how many there were, and when a session was last seen. Not part of the log.

create schema visits;

-- A session of a browser on a day of the store. It has no person: the id is a time and a random text.
create table visits.sessions (
  session_id text not null,
  day date not null,
  views integer not null,
  last_seen_at timestamptz not null,
  constraint sessions_pkey primary key (session_id, day),
  constraint sessions_views check (views > 0),
  constraint sessions_length check (length(session_id) <= 60)
);
create index sessions_day on visits.sessions (day);
create index sessions_last_seen_at on visits.sessions (last_seen_at);

-- The sums of each day, which stay when its sessions are deleted.
create table visits.days (
  day date not null,
  views bigint not null,
  visitors bigint not null,
  -- Sessions that were never here before.
  first_visits bigint not null,
  constraint days_pkey primary key (day),
  constraint days_sums check (views >= visitors and visitors >= first_visits and first_visits >= 0)
);

-- Which screens were opened, without what identifies a record in their addresses.
create table visits.paths (
  day date not null,
  path text not null,
  views bigint not null,
  constraint paths_pkey primary key (day, path),
  constraint paths_length check (length(path) <= 100)
);

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant usage on schema visits to %I', app);
  execute format('grant select, insert, update, delete on visits.sessions, visits.days, visits.paths to %I', app);
end;
$$;
