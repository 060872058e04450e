// A barcode where there is one line for it: cut where it runs on, whole on hover.

/** Longer than any barcode that is printed on goods. */
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
