-- Names of the streams of the till's days: one for each day of the store, such as till-2026-11-22.

create function log.till_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'till-' || id $$;
create function log.is_till_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'till-%' $$;
create function log.id_of_till_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 6) $$;
