// The store's logo, or the app's mark, and the store's name in the top bar and on the login screen.
import { unnamedStore, useStoreBrand, type StoreBrand } from "./store-name.ts";

export function Brand() {
  return <BrandOf {...useStoreBrand()} />;
}

type BrandOfProps = StoreBrand & {
  /** The logo has the same width whatever its shape, so that nothing moves when it arrives. */
  readonly hasFixedRoom?: boolean;
};

export function BrandOf({ storeName, logo, hasFixedRoom = false }: BrandOfProps) {
  return (
    <span data-brand className="flex min-w-0 items-center gap-2 font-semibold whitespace-nowrap">
      {logo === null ? (
        <Mark />
      ) : (
        <img
          src={logo}
          alt=""
          className={`h-6 shrink-0 object-contain ${hasFixedRoom ? "w-10 object-left" : "max-w-20"}`}
        />
      )}
      <span className="truncate max-sm:line-clamp-2 max-sm:leading-tight max-sm:whitespace-normal">
        {storeName ?? unnamedStore}
      </span>
    </span>
  );
}

function Mark() {
  return (
    <span
      aria-hidden="true"
      className="flex size-6 shrink-0 flex-col justify-center gap-0.75 rounded-control bg-accent px-1.5"
    >
      <span className="h-0.5 bg-on-accent" />
      <span className="h-0.5 bg-on-accent" />
      <span className="h-0.5 w-2 bg-on-accent" />
    </span>
  );
}
