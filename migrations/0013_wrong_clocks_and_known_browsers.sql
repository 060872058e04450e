-- Signing keys that outlive a wrong clock, and the secret by which browsers that an account was used in are known.

-- Counts up whenever another key begins to sign, so that which keys signed last is known without asking a clock.
alter table identity.signing_keys add column turn bigint not null default 0;

-- What the cookies of known browsers are signed with. With another secret every browser is unknown, and no more than that.
create table identity.browser_secret (
  only_one boolean not null default true,
  secret bytea not null,
  constraint browser_secret_pkey primary key (only_one),
  constraint browser_secret_only_one check (only_one)
);
-- Two random UUIDs hold 244 random bits.
insert into identity.browser_secret (secret)
values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select on identity.browser_secret to %I', app);
end;
$$;
