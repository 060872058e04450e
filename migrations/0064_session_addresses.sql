-- From which address a session began, so that a person can tell their devices apart.

-- Null for sessions from before, and where the address is not known.
alter table identity.refresh_families add column address text;
-- PostgreSQL keeps samples of columns for its plans; nobody's address is among them.
alter table identity.refresh_families alter column address set statistics 0;
