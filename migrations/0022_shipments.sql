-- Shipments: their names in the log, and the texts that their events refer to, which are erased with the person.

create function log.shipment_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'shipment-' || id $$;
create function log.is_shipment_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'shipment-%' $$;
create function log.id_of_shipment_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 10) $$;

-- A row for each time somebody wrote something about a shipment: events name it by its id, so that a change can still
-- be shown as it was.
create table identity.shipment_texts (
  id uuid not null,
  shipment_id uuid not null,
  -- Whose shipment it is. Null where the sender is unknown.
  uid text,
  -- The name of a carrier that is none of the usual ones.
  carrier_name text,
  -- Null until a label was made for it.
  tracking_number text,
  -- What the consignor says is inside.
  contents text,
  constraint shipment_texts_pkey primary key (id),
  constraint shipment_texts_uid_fkey foreign key (uid) references identity.profiles (uid)
);
create index shipment_texts_uid on identity.shipment_texts (uid);
-- How a repeated number is found, however it was typed.
create index shipment_texts_number on identity.shipment_texts (upper(regexp_replace(tracking_number, '[^A-Za-z0-9]', '', 'g')));

-- Statistics would keep samples of personal values in the catalogue.
alter table identity.shipment_texts
  alter column carrier_name set statistics 0,
  alter column tracking_number set statistics 0,
  alter column contents set statistics 0;
alter index identity.shipment_texts_number alter column 1 set statistics 0;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  -- A text never changes: another one is another row.
  execute format('grant select, insert, delete on identity.shipment_texts to %I', app);
end;
$$;
