-- Pictures of items: photos that admins upload, and copies of the retailer's pictures, so that browsers load them from here.

create table files.images (
  -- Random: whoever was shown an item's picture knows its address, and nobody can guess it.
  id uuid not null,
  media_type text not null,
  image bytea not null,
  -- The same picture, small enough for a list; null where nobody made one.
  thumbnail_type text,
  thumbnail bytea,
  stored_at timestamptz not null,
  -- When an event first named it. Null: no item has it yet, and a day later it is deleted.
  kept_at timestamptz,
  constraint images_pkey primary key (id),
  constraint images_media_type check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  constraint images_thumbnail_type check (thumbnail_type in ('image/png', 'image/jpeg', 'image/webp')),
  constraint images_thumbnail check ((thumbnail is null) = (thumbnail_type is null)),
  constraint images_size check (octet_length(image) <= 2097152 and octet_length(thumbnail) <= 131072)
);
create index images_not_kept on files.images (stored_at) where kept_at is null;
-- Pictures are packed already, and samples of them say nothing.
alter table files.images
  alter column image set storage external, alter column image set statistics 0,
  alter column thumbnail set storage external, alter column thumbnail set statistics 0;

-- What was found for a product of the retailer, so that it is not asked for again soon.
create table files.image_lookups (
  -- The retailer's number of the product.
  asin text not null,
  -- Null: nothing was found.
  image_id uuid,
  expires_at timestamptz not null,
  constraint image_lookups_pkey primary key (asin),
  constraint image_lookups_asin check (asin ~ '^[A-Z0-9]{10}$'),
  constraint image_lookups_image_id_fkey foreign key (image_id) references files.images (id) on delete cascade
);
create index image_lookups_image_id on files.image_lookups (image_id);
create index image_lookups_expires_at on files.image_lookups (expires_at);

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  -- A stored picture never changes, except that it is kept.
  execute format('grant select, insert, delete on files.images to %I', app);
  execute format('grant update (kept_at) on files.images to %I', app);
  execute format('grant select, insert, update, delete on files.image_lookups to %I', app);
end;
$$;
