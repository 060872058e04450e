-- Events name addresses, tracking numbers, texts, notes and labels by id alone, so a row that was deleted must never come
-- back under its id with other contents: the parcel of a trade would go to somebody else, and no check would notice.

create table identity.spent_ids (
  id uuid not null,
  constraint spent_ids_pkey primary key (id)
);

create function identity.spend_ids() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into identity.spent_ids (id) select gone.id from gone on conflict do nothing;
  return null;
end;
$$;

create function identity.refuse_spent_id() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from identity.spent_ids s where s.id = new.id) then
    raise exception 'The id % was used by a row that was deleted', new.id using errcode = 'LG004';
  end if;
  return new;
end;
$$;

revoke execute on function identity.spend_ids(), identity.refuse_spent_id() from public;

do $$
declare
  name text;
  app text := current_setting('ledger.app_role');
begin
  foreach name in array array[
    'identity.trade_addresses', 'identity.trade_labels', 'identity.shipment_texts', 'identity.label_keys',
    'identity.notes', 'files.labels'
  ]
  loop
    execute format(
      'create trigger spend_ids after delete on %s referencing old table as gone
       for each statement execute function identity.spend_ids()', name);
    execute format(
      'create trigger refuse_spent_id before insert on %s
       for each row execute function identity.refuse_spent_id()', name);
  end loop;
  -- A note stays what it was, like the other texts.
  execute format('revoke update on identity.notes from %I', app);
end;
$$;
