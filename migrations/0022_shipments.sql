-- Shipments: their stream names, and the texts that their events refer to. The texts are erased with the person.

create function log.shipment_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'shipment-' || id $$;
create function log.is_shipment_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'shipment-%' $$;
create function log.id_of_shipment_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 10) $$;

-- One row for each version of a shipment's text. Events refer to it by its id.
create table identity.shipment_texts (
  id uuid not null,
  shipment_id uuid not null,
  -- The owner. Null for an unknown sender.
  uid text,
  -- The name of another carrier than USPS, UPS and FedEx.
  carrier_name text,
  -- Null until a requested label is uploaded.
  tracking_number text,
  -- The consignor's description of what is inside.
  contents text,
  constraint shipment_texts_pkey primary key (id),
  constraint shipment_texts_uid_fkey foreign key (uid) references identity.profiles (uid)
);
create index shipment_texts_uid on identity.shipment_texts (uid);
-- Finds repeated numbers, ignoring case and spaces.
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
  -- Texts never change: a new version is a new row.
  execute format('grant select, insert, delete on identity.shipment_texts to %I', app);
end;
$$;
