// The store's logo and name in the top bar and on the login screen.
export function Brand() {
  return (
    <span className="flex items-center gap-2 font-semibold whitespace-nowrap">
      <span
        aria-hidden="true"
        className="flex size-6 flex-col justify-center gap-0.75 rounded-control bg-accent px-1.5"
      >
        <span className="h-0.5 bg-on-accent" />
        <span className="h-0.5 bg-on-accent" />
        <span className="h-0.5 w-2 bg-on-accent" />
      </span>
      Consignment Ledger
    </span>
  );
}
