// An item's name in a list, with its picture before it.
import type { ReactNode } from "react";
import { ItemImage } from "./item-image.tsx";

type PicturedNameProps = {
  readonly url: string;
  readonly children: ReactNode;
};

export function PicturedName({ url, children }: PicturedNameProps) {
  return (
    <span className="min-w-0 items-center gap-3 not-in-data-cards:flex">
      {/* What is read aloud is the name alone. A card leaves room for the picture before all of its lines. */}
      <span
        aria-hidden="true"
        data-picture
        className="flex shrink-0 in-data-cards:absolute in-data-cards:-ms-10 in-data-cards:mt-1.5"
      >
        <ItemImage url={url} size="thumb" />
      </span>
      <bdi className="min-w-0 not-in-data-cards:truncate">{children}</bdi>
    </span>
  );
}
