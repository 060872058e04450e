-- PostgreSQL reads 30,000 rows of each table for its statistics whenever a tenth of them is new. At a million events and 800
-- sales a second it did little else, and sales were seen up to twice as late. Rows of these tables are of a kind from the
-- first to the last, so there may be three times as many before it looks again.
alter table log.events set (autovacuum_analyze_scale_factor = 2, autovacuum_vacuum_insert_scale_factor = 0.5);
alter table log.postings set (autovacuum_analyze_scale_factor = 2, autovacuum_vacuum_insert_scale_factor = 0.5);
alter table log.movements set (autovacuum_analyze_scale_factor = 2, autovacuum_vacuum_insert_scale_factor = 0.5);
alter table log.event_streams set (autovacuum_analyze_scale_factor = 2, autovacuum_vacuum_insert_scale_factor = 0.5);
alter table log.command_keys set (autovacuum_analyze_scale_factor = 2, autovacuum_vacuum_insert_scale_factor = 0.5);
alter table log.streams set (autovacuum_analyze_scale_factor = 2);

-- No query looks for what these contain.
alter table log.events
  alter column data set statistics 0,
  alter column field_hash set statistics 0,
  alter column hash set statistics 0;
alter table log.streams alter column state set statistics 0;
alter table log.command_keys
  alter column request_hash set statistics 0,
  alter column answer set statistics 0;

-- The same for the read tables that exist, where this role may change them; later ones are made like this.
do $$
declare
  v_table regclass;
begin
  for v_table in
    select c.oid::regclass from pg_class c
    where c.relnamespace = 'read'::regnamespace and c.relkind = 'r' and c.relname ~ '_g[0-9]+$'
      and pg_has_role(current_user, c.relowner, 'usage')
    order by c.relname
  loop
    execute format(
      'alter table %s set (autovacuum_analyze_scale_factor = 2, autovacuum_vacuum_insert_scale_factor = 0.5)', v_table);
  end loop;
end;
$$;
