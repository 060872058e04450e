-- People are found with and without the accents of their names, as items are (0116): "jose" finds "José". The index is of
-- what services/identity/people-search.ts compares.
create index profiles_words on identity.profiles using gin (
  log.searchable(coalesce(display_name, '') || ' ' || coalesce(username, '') || ' ' || coalesce(email, '')) public.gin_trgm_ops
);
-- Statistics would keep samples of personal values in the catalogue.
alter index identity.profiles_words alter column 1 set statistics 0;
drop index identity.profiles_search;
