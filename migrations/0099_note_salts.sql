-- A note's id is the hash of its text and of this salt, so the event that names the id is bound to the text. Erasing the
-- note erases the salt, and the id then tells nothing. Null for notes of before, whose ids are random.
alter table identity.notes
  add column salt bytea,
  add constraint notes_salt check (octet_length(salt) = 16);
