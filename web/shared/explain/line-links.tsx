// Where a line of an explanation leads: its sale and what it paid for, what funded its payout, its trade, its event.
import { useProfile } from "#web/shared/account/session.tsx";
import { orderPath, salePath, tradePath } from "#web/paths.ts";
import { auditPath } from "#web/shared/audit/audit-path.ts";
import { useWhyPath, type Why } from "./why.ts";
import { TextLink } from "#web/ui/text-link.tsx";

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

/** To another explanation, in the same drawer. Back returns to this one. */
export function WhyLink({ why, children }: { readonly why: Why; readonly children: string }) {
  const pathTo = useWhyPath();
  return (
    <TextLink to={pathTo(why)} preventScrollReset>
      {children}
    </TextLink>
  );
}

export function LineLinks(props: LineLinksProps) {
  const { uid, saleId, payoutId, tradeId, itemIds = noItems, position } = props;
  const isOwn = useProfile().uid === uid;
  return (
    <>
      {saleId === null ? null : (
        <>
          <TextLink to={salePath(saleId, isOwn)}>Open sale</TextLink>
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
        <TextLink to={isOwn ? tradePath(tradeId) : orderPath(tradeId)}>Open trade</TextLink>
      )}
      <TextLink to={auditPath({ position }, isOwn)}>Event</TextLink>
    </>
  );
}
