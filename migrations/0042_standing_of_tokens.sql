-- Every request asks who may come in: a function, so that the query's plan is made once for each connection. Planned
-- again for each array of tokens, it took most of its time.

-- One row for each token whose person exists. `sids` has null for a token without a session; `needs_factor` says whether
-- admins need a second factor.
create function identity.standing_of_tokens(uids text[], sids uuid[], kids text[], needs_factor boolean)
returns table (
  uid text,
  sid uuid,
  kid text,
  -- False once the key that signed the token was deleted.
  has_key boolean,
  -- Of the user's stream, the only source that counts; most people have none and are plain users.
  role text,
  is_deactivated boolean,
  session_epoch integer,
  sessions_ended_at timestamptz,
  -- An admin without a second factor, where admins need one.
  lacks_factor boolean,
  -- These are null if there is no such session of this person.
  authenticated_at timestamptz,
  used_at timestamptz,
  ended_at timestamptz
)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
as $$
begin
  return query
    select k.uid, k.sid, k.kid, s.kid is not null,
      coalesce(u.state ->> 'role', 'user'), u.state ->> 'deactivatedAt' is not null,
      p.session_epoch, p.sessions_ended_at,
      needs_factor and coalesce(u.state ->> 'role', '') = 'admin'
        and not exists (select from identity.factors x where x.uid = k.uid),
      f.authenticated_at, f.used_at, f.ended_at
    from unnest(uids, sids, kids) as k (uid, sid, kid)
    join identity.profiles p on p.uid = k.uid
    left join identity.signing_keys s on s.kid = k.kid
    left join log.streams u on u.id = log.user_stream(k.uid)
    left join identity.refresh_families f on f.id = k.sid and f.uid = k.uid;
end;
$$;
revoke all on function identity.standing_of_tokens(text[], uuid[], text[], boolean) from public;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format(
    'grant execute on function identity.standing_of_tokens(text[], uuid[], text[], boolean) to %I', app);
end;
$$;
