// Keys as they are drawn in lists of shortcuts.

export function Keys({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span className="inline-flex shrink-0 gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-bit border border-border bg-fill px-1.5 font-sans text-12 text-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
