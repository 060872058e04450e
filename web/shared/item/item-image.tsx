// An item's image. If there is none, it cannot be loaded, or a shop sends a 1x1 pixel: the retailer's image by ASIN, or "No Image".
import { useState } from "react";
import { Icon } from "#web/ui/icon.tsx";
import { ItemIcon } from "#web/ui/thing-icons.ts";

type ItemImageProps = {
  readonly url: string;
  /** The retailer's number of the product, for its picture. */
  readonly asin?: string;
  /** `thumb` 28 px for rows, `line` 56 px for the till's cart, `small` 64 px, `large` 96 px for the drawer and the form, `card` as wide as its card. */
  readonly size: "thumb" | "line" | "small" | "large" | "card";
  /** Called when the picture of `url` cannot be shown. */
  readonly onFail?: () => void;
};

const sizes = {
  thumb: "size-7 rounded-bit border",
  line: "size-14 rounded-control border",
  small: "size-16 rounded-control border",
  large: "size-24 rounded-card border",
  card: "aspect-4/3 w-full border-b",
};

/** The address of the retailer's picture of a product. */
function retailerImage(asin: string): string {
  return `https://images-na.ssl-images-amazon.com/images/P/${encodeURIComponent(asin)}.01._SCLZZZZZZZ_.jpg`;
}

/** Lists load the small picture that the store keeps with a large one. */
function shownAddress(url: string, size: ItemImageProps["size"]): string {
  const isStored = url.startsWith("/api/images/");
  return isStored && size !== "large" && size !== "card" ? `${url}/thumbnail` : url;
}

const noUrls: readonly string[] = [];

export function ItemImage({ url, asin = "", size, onFail }: ItemImageProps) {
  const [failedUrls, setFailedUrls] = useState(noUrls);
  const frame = `${sizes[size]} shrink-0 border-border bg-fill`;
  const shown = [shownAddress(url, size), asin === "" ? "" : retailerImage(asin)].find(
    (one) => one !== "" && !failedUrls.includes(one),
  );
  const fail = (failed: string): void => {
    setFailedUrls([...failedUrls, failed]);
    onFail?.();
  };
  if (shown === undefined) {
    const isSmall = size === "thumb" || size === "line" || size === "small";
    return (
      <span className={`${frame} flex flex-col items-center justify-center gap-1 text-faint`}>
        <Icon of={ItemIcon} size={size === "thumb" ? 16 : 24} />
        <span className={isSmall ? "sr-only" : "text-12"}>No Image</span>
      </span>
    );
  }
  return (
    <img
      key={shown}
      src={shown}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => fail(shown)}
      onLoad={({ currentTarget: image }) => {
        if (image.naturalWidth <= 1 && image.naturalHeight <= 1) {
          fail(shown);
        }
      }}
      className={`${frame} ${size === "card" ? "object-contain" : "object-cover"}`}
    />
  );
}
