// Where a line of an explanation leads: its sale and what it paid for, what funded its payout, its trade, its event.
import { Link } from "react-router-dom";
import { useProfile } from "#web/shared/account/session.tsx";
import { orderPath, salePath, tradePath } from "#web/paths.ts";
import { auditPath } from "#web/shared/audit/audit-path.ts";
import { useWhyPath, type Why } from "./why.ts";

type LineLinksProps = {
  /** Whose line it is. */
  readonly uid: string;
  readonly saleId: string | null;
  readonly payoutId: string | null;
  readonly tradeId: string | null;
  readonly itemIds?: readonly string[];
  /** Of the line's event in the log. */
  readonly position: number;
};

const noItems: readonly string[] = [];

const linkClass = "inline-flex min-h-6 items-center text-accent hover:underline touch:min-h-11";

/** To another explanation, in the same drawer. Back returns to this one. */
export function WhyLink({ why, children }: { readonly why: Why; readonly children: string }) {
  const pathTo = useWhyPath();
  return (
    <Link to={pathTo(why)} preventScrollReset className={linkClass}>
      {children}
    </Link>
  );
}

export function LineLinks(props: LineLinksProps) {
  const { uid, saleId, payoutId, tradeId, itemIds = noItems, position } = props;
  const isOwn = useProfile().uid === uid;
  return (
    <>
      {saleId === null ? null : (
        <>
          <Link to={salePath(saleId, isOwn)} className={linkClass}>
            Open sale
          </Link>
          <WhyLink why={{ kind: "sale", id: saleId }}>What it paid for</WhyLink>
        </>
      )}
      {itemIds.map((itemId) => (
        <WhyLink key={itemId} why={{ kind: "item", id: itemId }}>
          Where it came from
        </WhyLink>
      ))}
      {payoutId === null ? null : (
        <WhyLink why={{ kind: "payout", id: payoutId }}>What funded it</WhyLink>
      )}
      {tradeId === null ? null : (
        <Link to={isOwn ? tradePath(tradeId) : orderPath(tradeId)} className={linkClass}>
          Open trade
        </Link>
      )}
      <Link to={auditPath({ position }, isOwn)} className={linkClass}>
        Event
      </Link>
    </>
  );
}
