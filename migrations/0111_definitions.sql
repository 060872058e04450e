-- Each step writes a new version of every shown table's row in read.projections. With two thousand bytes of definition in
-- it, a snapshot of half a minute left a hundred megabytes of old versions there. So definitions get a table of their own.
create table read.definitions (
  name       text    not null,
  generation integer not null,
  definition jsonb   not null,
  constraint definitions_pkey primary key (name, generation),
  constraint definitions_generation_known foreign key (name, generation)
    references read.projections (name, generation) on delete cascade
);

insert into read.definitions (name, generation, definition)
  select name, generation, definition from read.projections where definition is not null;

-- The hash stays, so that a reader notices a changed definition without reading it.
alter table read.projections drop column definition;
-- Room for the next versions of a page's rows: then an update writes to no index.
alter table read.projections set (fillfactor = 25);

-- The fence, for all feeds of a step at once: whoever moves checkpoints finds them where he believed them to be. It updates
-- them in the order in which they are given, so that two that want the same ones cannot wait for each other.
create function read.move_checkpoints(p_names text[], p_generations integer[], p_from bigint, p_to bigint) returns void
  language plpgsql volatile
as $$
declare
  v_moved integer;
begin
  update read.projections p set position = p_to
  from unnest(p_names, p_generations) as feed (name, generation)
  where p.name = feed.name and p.generation = feed.generation and p.position = p_from;
  get diagnostics v_moved = row_count;
  -- guard: checkpoint lock
  if v_moved < cardinality(p_names) then
    raise exception 'projections % do not all stand at %', p_names, p_from using errcode = 'LG001';
  end if;
  -- end guard: checkpoint lock
end;
$$;
drop function read.take_checkpoint(text, integer, bigint);

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant execute on function read.move_checkpoints(text[], integer[], bigint, bigint) to %I', app);
  execute format('grant select, insert, update, delete on read.definitions to %I', app);
end;
$$;
