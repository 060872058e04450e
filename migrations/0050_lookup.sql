-- A scanned code is looked up by the tracking numbers of trades, and by what stands on parcels for a person.

create index trade_labels_number on identity.trade_labels (upper(regexp_replace(tracking_number, '[^A-Za-z0-9]', '', 'g')));
create index profiles_short_id on identity.profiles (upper(right(uid, 8)));

-- Statistics would keep samples of personal values in the catalogue.
alter index identity.trade_labels_number alter column 1 set statistics 0;
alter index identity.profiles_short_id alter column 1 set statistics 0;
