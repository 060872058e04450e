-- Where each projection stands: one row a generation of its tables, and the row keys it could not fold.

create table read.projections (
  name       text        not null,
  generation integer     not null,
  version    integer     not null,
  -- building: a rebuild fills it · ready: caught up and fed, not shown · live: shown · previous: fed on, to take a flip back
  state      text        not null,
  position   bigint      not null,
  created_at timestamptz not null default now(),
  -- NULL until the generation was first shown.
  flipped_at timestamptz,
  constraint projections_pkey primary key (name, generation),
  constraint projections_state_known check (state in ('building', 'ready', 'live', 'previous')),
  constraint projections_position_not_negative check (position >= 0)
);
create unique index projections_one_live on read.projections (name) where state = 'live';

create table read.quarantine (
  projection  text        not null,
  generation  integer     not null,
  key         text        not null,
  -- The first event that could not be applied to this key.
  at_position bigint      not null,
  error       text        not null,
  created_at  timestamptz not null default now(),
  constraint quarantine_pkey primary key (projection, generation, key)
);

-- The fence: whoever moves a checkpoint holds its row and finds it where he believed it to be.
create function read.take_checkpoint(p_name text, p_generation integer, p_expected bigint) returns bigint
  language plpgsql volatile
as $$
declare
  v_position bigint;
begin
  select p.position into v_position from read.projections p
  where p.name = p_name and p.generation = p_generation
  for update; -- guard: checkpoint lock
  if v_position is distinct from p_expected then
    raise exception 'projection % generation % stands at %, not at %', p_name, p_generation, v_position, p_expected
      using errcode = 'LG001';
  end if;
  return v_position;
end;
$$;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, update, delete on read.projections, read.quarantine to %I', app);
  execute format('grant execute on function read.take_checkpoint(text, integer, bigint) to %I', app);
end;
$$;
