-- The search for pictures of all items that have none: one at a time, item by item, by whichever worker holds it.

create table store.image_backfills (
  id uuid not null,
  state text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- A worker that takes an item says until when nobody else may: past this time it has died. Afterwards, when the next
  -- item may be taken.
  held_until timestamptz,
  -- The item that is being looked for.
  current_item uuid,
  constraint image_backfills_pkey primary key (id),
  constraint image_backfills_state check (state in ('running', 'paused', 'finished')),
  constraint image_backfills_finished check ((state = 'finished') = (finished_at is not null))
);
-- Two admins who press Start at once start one.
create unique index image_backfills_open on store.image_backfills ((true)) where state <> 'finished';

create table store.image_backfill_items (
  backfill_id uuid not null,
  number bigint not null,
  item_id uuid not null,
  -- Null: not yet looked for. Skipped: it has a picture by now, or is no longer there.
  outcome text,
  -- Part of the command's key: an item that is tried again is another command.
  tries bigint not null default 0,
  constraint image_backfill_items_pkey primary key (backfill_id, number),
  constraint image_backfill_items_item_id unique (backfill_id, item_id),
  constraint image_backfill_items_backfill_id_fkey foreign key (backfill_id)
    references store.image_backfills (id) on delete cascade,
  constraint image_backfill_items_outcome check (outcome in ('updated', 'failed', 'skipped'))
);
create index image_backfill_items_waiting on store.image_backfill_items (backfill_id, number) where outcome is null;
create index image_backfill_items_failed on store.image_backfill_items (backfill_id, number) where outcome = 'failed';

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, update, delete on store.image_backfills to %I', app);
  execute format('grant select, insert, update, delete on store.image_backfill_items to %I', app);
end;
$$;
