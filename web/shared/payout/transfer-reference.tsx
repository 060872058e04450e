// The number of a payout's transfer, as an admin entered it.

/** Nothing without one. */
export function TransferReference({ reference }: { readonly reference: string | null }) {
  return reference === null ? null : (
    <span className="text-12 wrap-anywhere whitespace-normal text-muted">
      {"Transfer "}
      <bdi className="font-mono">{reference}</bdi>
    </span>
  );
}
