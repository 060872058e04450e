-- Another admin's address changes only once the new one is proved and the old one agrees: what waits for both.

create table identity.email_changes (
  uid text not null,
  id uuid not null,
  -- The new address.
  email text not null,
  -- The admin who asked. No reference: the change is refused if that person is no admin by then.
  asked_by text not null,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  -- The link in the letter to the new address.
  new_hash bytea not null,
  -- Null until it was opened.
  new_agreed_at timestamptz,
  -- The link in the letter to the old address. Null where there is no old address.
  old_hash bytea,
  -- Null until it was opened.
  old_agreed_at timestamptz,
  constraint email_changes_pkey primary key (uid),
  constraint email_changes_id_key unique (id),
  constraint email_changes_new_hash_key unique (new_hash),
  constraint email_changes_old_hash_key unique (old_hash),
  constraint email_changes_uid_fkey foreign key (uid) references identity.profiles (uid)
);
alter table identity.email_changes alter column email set statistics 0;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, update, delete on identity.email_changes to %I', app);
end;
$$;
