// An item's name in a list, with its picture before it.
import type { ReactNode } from "react";
import { ItemImage } from "./item-image.tsx";

type PicturedNameProps = {
  readonly url: string;
  /** On phones the name alone, where actions beside it leave little room. */
  readonly isBareOnPhones?: boolean;
  readonly children: ReactNode;
};

export function PicturedName({ url, isBareOnPhones = false, children }: PicturedNameProps) {
  const onPhones = isBareOnPhones ? "max-sm:hidden" : "max-sm:float-start";
  return (
    <span className="min-w-0 items-center gap-3 sm:flex">
      {/* What is read aloud is the name alone. On phones the name flows beside it, so that its second line can be cut. */}
      <span aria-hidden="true" className={`me-2 mb-2 flex shrink-0 sm:m-0 ${onPhones}`}>
        <ItemImage url={url} size="thumb" />
      </span>
      <span className="min-w-0 sm:truncate">{children}</span>
    </span>
  );
}
