// An item's image, or "No Image" if there is none, if it cannot be loaded, or if a shop sends a 1x1 pixel.
import { useState } from "react";
import { Icon } from "#web/ui/icon.tsx";
import { ItemIcon } from "#web/ui/thing-icons.ts";

type ItemImageProps = {
  readonly url: string;
  /** `thumb` is 28 px for rows, `large` 96 px for the drawer and the form. */
  readonly size: "thumb" | "large";
};

const sizes = { thumb: "size-7 rounded-bit", large: "size-24 rounded-card" };

export function ItemImage({ url, size }: ItemImageProps) {
  const [failedUrl, setFailedUrl] = useState<string>();
  const frame = `${sizes[size]} shrink-0 border border-border bg-fill`;
  if (url === "" || url === failedUrl) {
    return (
      <span className={`${frame} flex flex-col items-center justify-center gap-1 text-faint`}>
        <Icon of={ItemIcon} size={size === "thumb" ? 16 : 24} />
        {size === "large" ? (
          <span className="text-12">No Image</span>
        ) : (
          <span className="sr-only">No Image</span>
        )}
      </span>
    );
  }
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setFailedUrl(url)}
      onLoad={({ currentTarget: image }) => {
        if (image.naturalWidth <= 1 && image.naturalHeight <= 1) {
          setFailedUrl(url);
        }
      }}
      className={`${frame} object-cover`}
    />
  );
}
