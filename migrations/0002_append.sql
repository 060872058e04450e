-- The only way into the log: one function that checks, numbers, chains and writes a batch of commands at once.

-- One link of the hash chain. `previous` starts it; after that the running state is the previous link.
create function log.chain_step(state bytea, previous bytea, body bytea) returns bytea
  language sql immutable parallel safe
  return sha256(coalesce(state, previous) || body);

create aggregate log.chain(bytea, bytea) (sfunc = log.chain_step, stype = bytea);

-- What a link covers besides the previous link: position, recorded_at in microseconds, field hash.
create function log.link_body(at_position bigint, recorded_at timestamptz, field_hash bytea) returns bytea
  language sql immutable parallel safe
  return int8send(at_position) || int8send((extract(epoch from recorded_at) * 1000000)::bigint) || field_hash;

-- Locks streams for a writer that lost several optimistic tries and now decides while holding them.
create function log.lock_streams(p_ids text[])
  returns table (id text, version bigint, state jsonb, state_version integer)
  language plpgsql volatile security definer
  set search_path = log, pg_temp
  set enable_seqscan = off
as $$
begin
  return query
    select s.id, s.version, s.state, s.state_version
    from log.streams s where s.id = any (p_ids) order by s.id for update;
end;
$$;

-- Appends a batch. Every array is ordered as the caller decided it; event numbers count from 1 in the batch.
-- outcome 'appended': positions are first_position … ; 'streams': somebody else extended a stream that was
-- read, `conflicts` holds the ids; 'keys': a key is known, `conflicts` holds the stored answers. In the
-- last two nothing is written.
create function log.append(
  p_read_ids text[], p_read_versions bigint[],
  p_state_ids text[], p_state_old_versions bigint[], p_state_versions bigint[], p_states jsonb[],
  p_state_state_versions integer[],
  p_key_scopes text[], p_keys text[], p_key_hashes bytea[], p_key_answers jsonb[], p_key_offsets integer[],
  p_asked_scopes text[], p_asked_keys text[],
  p_ids uuid[], p_types text[], p_schema_versions integer[], p_datas jsonb[], p_actors text[],
  p_scopes text[], p_command_keys text[], p_happened timestamptz[], p_field_hashes bytea[],
  p_posting_events integer[], p_posting_ordinals integer[], p_posting_from text[], p_posting_to text[],
  p_posting_cents bigint[],
  p_movement_events integer[], p_movement_ordinals integer[], p_movement_from text[], p_movement_to text[],
  p_movement_units bigint[],
  p_stream_events integer[], p_stream_ids text[], p_stream_versions bigint[]
) returns table (outcome text, last_before bigint, head_position bigint, head_hash bytea, conflicts jsonb)
  language plpgsql volatile security definer
  set search_path = log, pg_temp
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
declare
  v_conflicts jsonb;
  v_last      bigint;
  v_hash      bytea;
  v_recorded  timestamptz;
begin
  -- Rows are locked in one order by everybody, so writers wait for each other and never deadlock.
  perform 1 from log.streams s where s.id = any (p_read_ids) order by s.id for update;

  -- guard: version check
  select jsonb_agg(r.id) into v_conflicts
  from unnest(p_read_ids, p_read_versions) as r (id, version)
  left join log.streams s on s.id = r.id
  where coalesce(s.version, 0) <> r.version;
  if v_conflicts is not null then
    return query select 'streams', null::bigint, null::bigint, null::bytea, v_conflicts;
    return;
  end if;
  -- end guard: version check

  -- guard: log lock
  -- Held until the commit: positions are given in commit order and a reader never sees a gap.
  perform pg_advisory_xact_lock(4711, 1);
  -- end guard: log lock

  -- guard: key check
  select jsonb_agg(jsonb_build_object(
      'scope', k.scope, 'key', k.key, 'requestHash', encode(k.request_hash, 'hex'),
      'answer', k.answer, 'position', k.position))
  into v_conflicts
  from unnest(p_asked_scopes, p_asked_keys) as a (scope, key)
  join log.command_keys k on k.scope = a.scope and k.key = a.key;
  if v_conflicts is not null then
    return query select 'keys', null::bigint, null::bigint, null::bytea, v_conflicts;
    return;
  end if;
  -- end guard: key check

  select e.position, e.hash, e.recorded_at into v_last, v_hash, v_recorded
  from log.events e order by e.position desc limit 1;
  v_last := coalesce(v_last, 0);
  v_hash := coalesce(v_hash, '\x0000000000000000000000000000000000000000000000000000000000000000'::bytea);
  -- The clock may be set back; the log's own time never is.
  v_recorded := greatest(clock_timestamp(), v_recorded);

  insert into log.command_keys (scope, key, request_hash, answer, position)
  select k.scope, k.key, k.request_hash, k.answer, v_last + k.event_offset
  from unnest(p_key_scopes, p_keys, p_key_hashes, p_key_answers, p_key_offsets)
    as k (scope, key, request_hash, answer, event_offset)
  order by k.scope, k.key;

  if cardinality(p_ids) > 0 then
    update log.streams s
    set version = n.version, state = n.state, state_version = n.state_version
    from unnest(p_state_ids, p_state_old_versions, p_state_versions, p_states, p_state_state_versions)
      as n (id, old_version, version, state, state_version)
    where s.id = n.id and n.old_version > 0;

    -- A new stream is a plain insert: whoever made it first wins, the other one decides again.
    insert into log.streams (id, version, state, state_version)
    select n.id, n.version, n.state, n.state_version
    from unnest(p_state_ids, p_state_old_versions, p_state_versions, p_states, p_state_state_versions)
      as n (id, old_version, version, state, state_version)
    where n.old_version = 0
    order by n.id;

    insert into log.events (position, id, type, schema_version, data, actor, key_scope, command_key,
                            happened_at, recorded_at, field_hash, hash)
    select v_last + e.number, e.id, e.type, e.schema_version, e.data, e.actor, e.scope, e.command_key,
           e.happened, v_recorded, e.field_hash,
           log.chain(v_hash, log.link_body(v_last + e.number, v_recorded, e.field_hash))
             over (order by e.number rows between unbounded preceding and current row)
    from unnest(p_ids, p_types, p_schema_versions, p_datas, p_actors, p_scopes, p_command_keys,
                p_happened, p_field_hashes) with ordinality
      as e (id, type, schema_version, data, actor, scope, command_key, happened, field_hash, number)
    order by e.number;

    insert into log.postings (position, ordinal, from_account, to_account, cents)
    select v_last + p.event, p.ordinal, p.from_account, p.to_account, p.cents
    from unnest(p_posting_events, p_posting_ordinals, p_posting_from, p_posting_to, p_posting_cents)
      as p (event, ordinal, from_account, to_account, cents);

    insert into log.movements (position, ordinal, from_holding, to_holding, units)
    select v_last + m.event, m.ordinal, m.from_holding, m.to_holding, m.units
    from unnest(p_movement_events, p_movement_ordinals, p_movement_from, p_movement_to, p_movement_units)
      as m (event, ordinal, from_holding, to_holding, units);

    insert into log.event_streams (stream_id, version, position)
    select s.stream_id, s.version, v_last + s.event
    from unnest(p_stream_events, p_stream_ids, p_stream_versions) as s (event, stream_id, version);
  end if;

  return query
    select 'appended', v_last, e.position, e.hash, null::jsonb
    from (select 1) as one
    left join lateral (select position, hash from log.events order by position desc limit 1) e on true;
end;
$$;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  revoke all on all functions in schema log from public;
  execute format('grant usage on schema log to %I', app);
  execute format('grant select on all tables in schema log to %I', app);
  execute format('grant execute on function log.lock_streams(text[]) to %I', app);
  execute (
    select format('grant execute on function %s to %I', p.oid::regprocedure, app)
    from pg_proc p where p.pronamespace = 'log'::regnamespace and p.proname = 'append'
  );
end;
$$;
