-- The first answers of calls with an Idempotency-Key that are no commands of the ledger, for a day.

create table identity.kept_answers (
  -- Whose key it is: the store's, a person's, or that of a sign-in without a profile.
  scope        text        not null,
  key          text        not null,
  -- Hex sha256, so that the same key with another request is noticed.
  request_hash text        not null,
  begun_at     timestamptz not null,
  -- Null while the call runs.
  status       integer,
  body         text,
  -- The position of the log that the answer reflects; null if the call did not use the log.
  position     bigint,
  constraint kept_answers_pkey primary key (scope, key),
  constraint kept_answers_whole check ((status is null) = (body is null))
);
create index kept_answers_begun_idx on identity.kept_answers (begun_at);
-- PostgreSQL keeps samples of columns for its plans; nobody's data are among them.
alter table identity.kept_answers
  alter column scope set statistics 0,
  alter column key set statistics 0,
  alter column request_hash set statistics 0,
  alter column body set statistics 0;

do $$
begin
  execute format('grant select, insert, update, delete on identity.kept_answers to %I', current_setting('ledger.app_role'));
end;
$$;
