-- From which address a session began, so that a person can tell their devices apart.

-- Null for sessions from before, and where the address is not known.
alter table identity.refresh_families add column address text;
