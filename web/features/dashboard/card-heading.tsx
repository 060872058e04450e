// The heading of a card of the dashboard, with the link to everything that the card shows a part of.
import { TextLink } from "#web/ui/text-link.tsx";

type CardHeadingProps = {
  readonly id: string;
  readonly children: string;
  readonly to: string;
  readonly link: string;
};

export function CardHeading({ id, children, to, link }: CardHeadingProps) {
  return (
    <span className="flex items-center justify-between gap-4">
      <h2 id={id} className="text-16 font-semibold">
        {children}
      </h2>
      <TextLink to={to}>{link}</TextLink>
    </span>
  );
}
