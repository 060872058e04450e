-- The audit log has a row for each event: which streams make the row is a question to the log itself.

/* The streams of the event at a position, given as a row key; none for a text that is no position. */
create function log.streams_at(key text) returns text[] language sql stable parallel safe
  as $$ select array_agg(s.stream_id) from log.event_streams s where s.position = nullif(key, '')::bigint $$;

revoke execute on function log.streams_at(text) from public;

do $$
begin
  execute format('grant execute on function log.streams_at(text) to %I', current_setting('ledger.app_role'));
end;
$$;
