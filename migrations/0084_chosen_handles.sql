-- The payout handles that people chose on their profile; payout requests suggest them.

create table identity.chosen_handles (
  uid           text        not null,
  method        text        not null,
  -- Sealed, so that a change in the database cannot suggest another account. Sealed "" is: none.
  handle_sealed bytea       not null,
  chosen_at     timestamptz not null,
  constraint chosen_handles_pkey primary key (uid, method),
  constraint chosen_handles_uid_fkey foreign key (uid) references identity.profiles (uid),
  constraint chosen_handles_method check (method in ('cashapp', 'venmo'))
);
alter table identity.chosen_handles alter column handle_sealed set statistics 0;

do $$
begin
  execute format('grant select, insert, update, delete on identity.chosen_handles to %I', current_setting('ledger.app_role'));
end;
$$;
