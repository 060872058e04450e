// The frame of the marketplace, offers and trades. If the navigation has only one entry for them, tabs link them.
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import { AdminButton } from "#web/shared/account/admin-button.tsx";
import { useProfile } from "#web/shared/account/session.tsx";
import { CountersBadge, OffersBadge } from "./answers-badge.tsx";
import type { Freshness } from "#web/lib/read.ts";
import { useIsNarrow } from "#web/lib/use-media.ts";
import { paths } from "#web/paths.ts";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { Page } from "#web/ui/page.tsx";

const places = [
  { to: paths.marketplace, label: "Marketplace", Badge: undefined },
  { to: paths.myOffers, label: "Offers", Badge: OffersBadge },
  { to: paths.myTrades, label: "Trades", Badge: CountersBadge },
] as const;

type MarketPageProps = {
  readonly title: string;
  readonly freshness: Freshness | undefined;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function MarketPage({ title, freshness, actions, children }: MarketPageProps) {
  const { pathname } = useLocation();
  const isNarrow = useIsNarrow();
  const { role } = useProfile();
  return (
    <Page
      title={title}
      subtitle={<FreshnessLine freshness={freshness} />}
      actions={
        <>
          <AdminButton />
          {actions}
        </>
      }
    >
      {isNarrow || role === "admin" ? (
        <nav
          aria-label="Marketplace"
          className="flex gap-4 overflow-x-auto border-b border-border no-print"
        >
          {places.map(({ to, label, Badge }) => (
            <Link
              key={to}
              to={to}
              aria-current={pathname === to ? "page" : undefined}
              className="-mb-px flex h-10 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-1 font-medium text-muted transition-colors duration-120 -outline-offset-2 hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text touch:h-11"
            >
              {label}
              {Badge === undefined ? null : <Badge />}
            </Link>
          ))}
        </nav>
      ) : null}
      {children}
    </Page>
  );
}
