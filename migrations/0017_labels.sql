-- Files of people, such as shipping labels: encrypted here, each under a key of its own in schema identity. Erasing a person
-- rewrites the tables of identity, so nothing large may lie there; deleting the key erases the file.

create table identity.label_keys (
  -- The same id as in files.labels.
  id uuid not null,
  -- Whose file it is. Erasing this person deletes the key.
  uid text not null,
  -- AES-256, for this file alone.
  key bytea not null,
  kept_at timestamptz not null,
  constraint label_keys_pkey primary key (id),
  constraint label_keys_uid_fkey foreign key (uid) references identity.profiles (uid),
  constraint label_keys_key_length check (octet_length(key) = 32)
);
create index label_keys_uid on identity.label_keys (uid);
create index label_keys_kept_at on identity.label_keys (kept_at);
alter table identity.label_keys alter column key set statistics 0;

create schema files;

create table files.labels (
  id uuid not null,
  -- Nonce (12 bytes), ciphertext, tag (16 bytes) of AES-256-GCM. Random to anybody without the key.
  sealed bytea not null,
  stored_at timestamptz not null,
  constraint labels_pkey primary key (id)
);
-- Encrypted bytes do not compress, and samples of them say nothing.
alter table files.labels alter column sealed set storage external, alter column sealed set statistics 0;
create index labels_stored_at on files.labels (stored_at);

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, delete on identity.label_keys to %I', app);
  execute format('grant usage on schema files to %I', app);
  -- A stored file never changes.
  execute format('grant select, insert, delete on files.labels to %I', app);
end;
$$;
