-- Each generation of read tables keeps the definition it was made by, so that any version of the program can feed it.

-- NULL for generations of programs that did not keep it yet; the next start fills it in where the version is its own.
alter table read.projections add column definition jsonb;
-- sha256 (hex) of the definition's canonical JSON, so that a reader notices a changed one without reading it.
alter table read.projections add column definition_hash text;
alter table read.projections add constraint projections_definition_hashed
  check ((definition is null) = (definition_hash is null));
