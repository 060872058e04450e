// A missing value: a dash, with the reason for screen readers and on hover.
export function Unknown({ reason = "not known" }: { readonly reason?: string }) {
  return (
    <span data-tip={reason} className="text-faint">
      <span aria-hidden="true">—</span>
      <span className="sr-only">{reason}</span>
    </span>
  );
}
