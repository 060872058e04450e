-- Names of the streams of payout holds, one for each person and hold-store for everybody.

create function log.hold_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'hold-' || id $$;
create function log.is_hold_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'hold-%' $$;
create function log.id_of_hold_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 6) $$;
