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

-- The fence, for all feeds of a step: whoever moves checkpoints finds them where he believed them to be. One by one, in the
-- order in which they are given, so that two that want the same ones never wait for each other.
create function read.move_checkpoints(p_names text[], p_generations integer[], p_from bigint, p_to bigint) returns void
  language plpgsql volatile
as $$
begin
  for v_feed in 1 .. cardinality(p_names) loop
    update read.projections p set position = p_to
    where p.name = p_names[v_feed] and p.generation = p_generations[v_feed] and p.position = p_from;
    -- guard: checkpoint lock
    if not found then
      raise exception 'projection % generation % does not stand at %', p_names[v_feed], p_generations[v_feed], p_from
        using errcode = 'LG001';
    end if;
    -- end guard: checkpoint lock
  end loop;
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
