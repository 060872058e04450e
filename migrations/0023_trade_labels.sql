-- Tracking numbers of trades lead to where somebody lives: events name the label, and the number is erased with its person.

create table identity.trade_labels (
  -- The id of the label in the store of labels.
  id uuid not null,
  uid text not null,
  tracking_number text not null,
  constraint trade_labels_pkey primary key (id),
  constraint trade_labels_uid_fkey foreign key (uid) references identity.profiles (uid)
);
create index trade_labels_uid on identity.trade_labels (uid);
alter table identity.trade_labels alter column tracking_number set statistics 0;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, delete on identity.trade_labels to %I', app);
end;
$$;
