// A value that is not there: a dash to see, the reason to hear and to hover.
export function Unknown({ reason = "not known" }: { readonly reason?: string }) {
  return (
    <span data-tip={reason} className="text-faint">
      <span aria-hidden="true">—</span>
      <span className="sr-only">{reason}</span>
    </span>
  );
}
