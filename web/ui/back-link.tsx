// An arrow before a page's title that leads back to the list or record it belongs to.
import { ArrowLeft } from "lucide-react";
import { Link } from "react-router-dom";
import { Icon } from "./icon.tsx";

type BackLinkProps = { readonly to: string; readonly label: string };

export function BackLink({ to, label }: BackLinkProps) {
  return (
    <Link
      to={to}
      aria-label={label}
      data-tip={label}
      className="-mx-2 inline-flex size-(--control) items-center justify-center rounded-control text-muted transition-colors duration-120 hover:bg-hover hover:text-text no-print"
    >
      <Icon of={ArrowLeft} size={20} />
    </Link>
  );
}
