-- Pictures whose id follows from their bytes: an event that names the id binds the picture.

alter table files.images
  -- Random, so that nobody can guess the id of a picture that they have. Null for pictures from before.
  add column salt uuid,
  alter column salt set statistics 0;
