-- What came of every order about a projection's tables. read.rebuilds has only the last order of each projection. As that
-- table, it can be lost: then the log says what was ordered, and nobody knows how it ended.
create table read.order_outcomes (
  -- The note that the order's event names; no other event names it.
  order_id   uuid        not null,
  projection text        not null,
  -- ready: the new tables are filled and compared · done: carried out · failed: see error
  phase      text        not null,
  error      text,
  -- The tables that a rebuild filled.
  generation integer,
  ordered_at timestamptz not null,
  ended_at   timestamptz not null,
  constraint order_outcomes_pkey primary key (order_id),
  constraint order_outcomes_phase_known check (phase in ('ready', 'done', 'failed'))
);

-- NULL for an order from before.
alter table read.rebuilds add column order_id uuid;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, update, delete on read.order_outcomes to %I', app);
end;
$$;
