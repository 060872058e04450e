-- A handle has its row before the request that names it is decided: null until one was accepted.
alter table identity.payout_handles alter column last_used_at drop not null;
