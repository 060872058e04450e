// An item's name in a list, with its picture before it.
import type { ReactNode } from "react";
import { ItemImage } from "./item-image.tsx";

type PicturedNameProps = {
  readonly url: string;
  readonly children: ReactNode;
};

export function PicturedName({ url, children }: PicturedNameProps) {
  return (
    <span className="min-w-0 items-center gap-3 sm:flex">
      {/* What is read aloud is the name alone. On phones the name flows beside it, so that its second line can be cut. */}
      <span aria-hidden="true" className="me-2 flex shrink-0 max-sm:float-start sm:m-0">
        <ItemImage url={url} size="thumb" />
      </span>
      <span className="min-w-0 sm:truncate">{children}</span>
    </span>
  );
}
