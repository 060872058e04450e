-- How a text is kept for searches: in lower case and without accents, so that "pokemon" finds "Pokémon". Search columns of
-- read tables are made of it. What people type loses its accents in the program (services/db/like.ts), before it becomes
-- a pattern. A text of ASCII alone, as most are, is not decomposed. It is not
-- strict, because PostgreSQL then calls it for each row instead of putting its body into the statement.
create function log.searchable(words text) returns text language sql immutable parallel safe
  return case when octet_length(words) = char_length(words) then lower(words)
    else lower(regexp_replace(normalize(words, nfd), '[\u0300-\u036f]', '', 'g')) end;
