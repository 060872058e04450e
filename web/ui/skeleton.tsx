// The place of something that is on its way, in its final height; shows itself after 150 ms only.
export function Skeleton({ className = "" }: { readonly className?: string }) {
  return <span aria-hidden="true" className={`block skeleton ${className}`} />;
}
