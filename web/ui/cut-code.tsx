// A barcode in one line: truncated if it is too long, complete on hover.

/** Longer than any barcode printed on goods. */
const usualLength = 16;

export function CutCode({ children }: { readonly children: string }) {
  return (
    <span
      title={children.length > usualLength ? children : undefined}
      className="max-w-full truncate font-mono text-12"
    >
      {children}
    </span>
  );
}
