-- Room for what the application makes itself: read tables, job queues, and the extensions its searches use.

create extension if not exists pg_trgm with schema public;
create extension if not exists btree_gin with schema public;

do $$
begin
  execute format('create schema read authorization %I', current_setting('ledger.app_role'));
  execute format('create schema pgboss authorization %I', current_setting('ledger.app_role'));
end
$$;
