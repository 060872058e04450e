// A placeholder with the final height of something that is loading. It becomes visible after 150 ms.
export function Skeleton({ className = "" }: { readonly className?: string }) {
  return <span aria-hidden="true" className={`block skeleton ${className}`} />;
}
