-- Requests that admins made in a consignor's place once had their handle suggested to the consignor. What no request of the
-- person's own has named is suggested no longer; verify checks the same from now on.
update identity.payout_handles h set last_used_at = null
where h.last_used_at is not null and not exists (
  select from log.events e
  where e.type = 'PayoutRequested' and e.actor = h.uid and e.data ->> 'handleId' = h.id::text);
