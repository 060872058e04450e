-- Kept answers are proved with their events: the answer enters the field hash, and each key says how many events it stands for.

-- The canonical form that field_hash covers. Form 1 knows nothing of answers; form 2 has in a command's first event
-- the hash of its key, request hash and answer. Whoever appends says which, so there is no default any more.
alter table log.events add column hash_form smallint not null default 1;
alter table log.events alter column hash_form drop default;

-- How many events the command wrote; they end at the key's position. NULL where the answer was kept before this column was.
alter table log.command_keys add column events integer;

drop function log.append;

-- Appends a batch. Every array is ordered as the caller decided it; event numbers count from 1 in the batch.
-- p_read_… are streams that decisions only looked at, p_state_… those that they extended (old version 0: new);
-- p_key_… are keys that get an answer (p_key_events: how many events their command has), p_asked_… those that get none but may have one.
-- Arrays are unnested in the select list, where PostgreSQL reads them in step and stores nothing between.
-- Answers {"kind": "appended", "lastBefore", "headPosition", "headHash"}: positions are lastBefore + 1 …;
-- {"kind": "streams"}: somebody else extended a stream that was only read; {"kind": "keys", "known"}: a
-- key is known, `known` holds the stored answers. Raises 40001 or 23505 when somebody else extended or made a
-- stream that the batch extends. In all but the first nothing is written.
create function log.append(
  p_read_ids text[], p_read_versions bigint[],
  p_state_ids text[], p_state_old_versions bigint[], p_state_versions bigint[], p_states jsonb[],
  p_state_state_versions integer[],
  p_key_scopes text[], p_keys text[], p_key_hashes bytea[], p_key_answers jsonb[], p_key_offsets integer[],
  p_key_events integer[],
  p_asked_scopes text[], p_asked_keys text[],
  p_ids uuid[], p_types text[], p_schema_versions integer[], p_datas jsonb[], p_actors text[],
  p_scopes text[], p_command_keys text[], p_happened timestamptz[], p_field_hashes bytea[],
  p_posting_events integer[], p_posting_ordinals integer[], p_posting_from text[], p_posting_to text[],
  p_posting_cents bigint[],
  p_movement_events integer[], p_movement_ordinals integer[], p_movement_from text[], p_movement_to text[],
  p_movement_units bigint[],
  p_stream_events integer[], p_stream_ids text[], p_stream_versions bigint[]
) returns jsonb
  language plpgsql volatile security definer
  set search_path = log, pg_temp
  -- The plans are made once a connection, while tables may still be empty, and are looked for no more.
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
declare
  v_found    jsonb;
  v_last     bigint;
  v_hash     bytea;
  v_hashes   bytea[] := '{}';
  v_recorded timestamptz;
  v_micros   bytea;
  v_extended bigint;
begin
  -- guard: log lock
  -- Held until the commit: positions are given in commit order, a reader never sees a gap, and nothing that
  -- is checked below can change before this batch is written.
  perform pg_advisory_xact_lock(4711, 1);
  -- end guard: log lock

  -- guard: version check
  if cardinality(p_read_ids) > 0 then
    if exists (
      select from unnest(p_read_ids, p_read_versions) as r (id, version)
      left join log.streams s on s.id = r.id
      where coalesce(s.version, 0) <> r.version
    ) then
      return jsonb_build_object('kind', 'streams');
    end if;
  end if;
  -- end guard: version check

  -- guard: key check
  select jsonb_agg(jsonb_build_object(
      'scope', k.scope, 'key', k.key, 'requestHash', encode(k.request_hash, 'hex'),
      'answer', k.answer, 'position', k.position))
  into v_found
  from (select unnest(p_key_scopes), unnest(p_keys)
        union all select unnest(p_asked_scopes), unnest(p_asked_keys)) as a (scope, key)
  join log.command_keys k on k.scope = a.scope and k.key = a.key;
  if v_found is not null then
    return jsonb_build_object('kind', 'keys', 'known', v_found);
  end if;
  -- end guard: key check

  select e.position, e.hash, e.recorded_at into v_last, v_hash, v_recorded
  from log.events e order by e.position desc limit 1;
  v_last := coalesce(v_last, 0);

  if cardinality(p_keys) > 0 then
    insert into log.command_keys (scope, key, request_hash, answer, position, events)
    select unnest(p_key_scopes), unnest(p_keys), unnest(p_key_hashes), unnest(p_key_answers),
           v_last + unnest(p_key_offsets), unnest(p_key_events);
  end if;

  if cardinality(p_ids) > 0 then
    update log.streams s
    set version = n.version, state = n.state, state_version = n.state_version
    from unnest(p_state_ids, p_state_old_versions, p_state_versions, p_states, p_state_state_versions)
      as n (id, old_version, version, state, state_version)
    where s.id = n.id and s.version = n.old_version;
    get diagnostics v_extended = row_count;
    if v_extended <> cardinality(array_remove(p_state_old_versions, 0)) then
      raise exception 'somebody else extended a stream of this batch' using errcode = '40001';
    end if;

    -- A new stream is a plain insert: whoever made it first wins, the other one decides again.
    if 0 = any (p_state_old_versions) then
      insert into log.streams (id, version, state, state_version)
      select n.id, n.version, n.state, n.state_version
      from unnest(p_state_ids, p_state_old_versions, p_state_versions, p_states, p_state_state_versions)
        as n (id, old_version, version, state, state_version)
      where n.old_version = 0;
    end if;

    -- The clock may be set back; the log's own time never is.
    v_recorded := greatest(clock_timestamp(), v_recorded);
    v_micros := int8send((extract(epoch from v_recorded) * 1000000)::bigint);
    v_hash := coalesce(v_hash, decode(repeat('00', 32), 'hex'));
    -- The chain: each link covers the link before, position, recorded_at in microseconds, and field hash.
    for v_number in 1 .. cardinality(p_ids) loop
      v_hash := sha256(v_hash || int8send(v_last + v_number) || v_micros || p_field_hashes[v_number]);
      v_hashes[v_number] := v_hash;
    end loop;

    insert into log.events (position, id, type, schema_version, data, actor, key_scope, command_key,
                            happened_at, recorded_at, field_hash, hash, hash_form)
    select generate_series(v_last + 1, v_last + cardinality(p_ids)), unnest(p_ids), unnest(p_types),
           unnest(p_schema_versions), unnest(p_datas), unnest(p_actors), unnest(p_scopes),
           unnest(p_command_keys), unnest(p_happened), v_recorded, unnest(p_field_hashes), unnest(v_hashes),
           2;

    if cardinality(p_posting_events) > 0 then
      insert into log.postings (position, ordinal, from_account, to_account, cents)
      select v_last + unnest(p_posting_events), unnest(p_posting_ordinals), unnest(p_posting_from),
             unnest(p_posting_to), unnest(p_posting_cents);
    end if;

    if cardinality(p_movement_events) > 0 then
      insert into log.movements (position, ordinal, from_holding, to_holding, units)
      select v_last + unnest(p_movement_events), unnest(p_movement_ordinals), unnest(p_movement_from),
             unnest(p_movement_to), unnest(p_movement_units);
    end if;

    insert into log.event_streams (stream_id, version, position)
    select unnest(p_stream_ids), unnest(p_stream_versions), v_last + unnest(p_stream_events);
  end if;

  return jsonb_build_object('kind', 'appended', 'lastBefore', v_last,
    'headPosition', v_last + cardinality(p_ids), 'headHash', encode(v_hash, 'hex'));
end;
$$;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  revoke all on function log.append from public;
  execute (
    select format('grant execute on function %s to %I', p.oid::regprocedure, app)
    from pg_proc p where p.pronamespace = 'log'::regnamespace and p.proname = 'append'
  );
end;
$$;
