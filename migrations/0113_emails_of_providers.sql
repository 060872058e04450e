-- Which address the provider had verified when its account was linked, as a hash: a reset, and a change of the email, end
-- the links to accounts with another one. Null for links that are older, and for addresses that were not verified.
alter table identity.issuer_subjects add column email_hash bytea;
-- PostgreSQL keeps samples of columns for its plans; nobody's account is among them.
alter table identity.issuer_subjects alter column email_hash set statistics 0;
