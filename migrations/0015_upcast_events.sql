-- Events of older versions in today's shape, so that the steps of projections read one shape. Made from the log, checked by verify.

create table read.upcast_events (
  position bigint  not null,
  -- The version that `data` has; the log keeps the event in an older one.
  version  integer not null,
  -- NULL where the upcast refused what is stored.
  data     jsonb,
  -- Why it was refused; NULL where it was not.
  error    text,
  constraint upcast_events_pkey primary key (position),
  constraint upcast_events_data_or_error check ((data is null) = (error is not null))
);
create index upcast_events_refused_idx on read.upcast_events (position) where error is not null;

-- How far the log was searched for older events of each type that has more than one version.
create table read.upcasts (
  type     text    not null,
  -- The version that the rows in read.upcast_events have.
  version  integer not null,
  -- Every older event up to here has its row.
  position bigint  not null,
  -- How many there are up to here.
  events   bigint  not null,
  constraint upcasts_pkey primary key (type),
  constraint upcasts_counted check (position >= 0 and events >= 0)
);

-- What a step gets instead of an older event's data. LG002: there is no row of this version, fill it in and try again.
-- LG003: the upcast refused the event, which is a fault of the data.
create function read.no_upcast(p_position bigint, p_error text) returns jsonb
  language plpgsql volatile
as $$
begin
  if p_error is null then
    raise exception 'event % is stored in an older version and has no row in read.upcast_events', p_position
      using errcode = 'LG002';
  end if;
  raise exception 'event % cannot be read in its current version: %', p_position, p_error
    using errcode = 'LG003';
end;
$$;

-- log.total under a name that steps may use: they name nothing in schema log.
create aggregate read.total(bigint) (sfunc = int8pl, stype = bigint, initcond = '0', parallel = safe, combinefunc = int8pl);

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, update, delete on read.upcast_events, read.upcasts to %I', app);
  execute format('grant execute on function read.no_upcast(bigint, text) to %I', app);
end;
$$;
