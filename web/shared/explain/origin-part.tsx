// Where an item's units came from: how each came in, out of which shipment, and which sales took them.
import { formatQuantity } from "#web/lib/formats.ts";
import { useProfile } from "#web/shared/account/session.tsx";
import { paths } from "#web/paths.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { LoadMore } from "#web/ui/load-more.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextLink } from "#web/ui/text-link.tsx";
import { useOrigin, type Intake } from "./explain-api.ts";
import { WhyLink } from "./line-links.tsx";

export function OriginPart({ itemId }: { readonly itemId: string }) {
  const origin = useOrigin(itemId);
  const { pages } = origin;
  const first = pages?.[0];
  if (first === undefined) {
    return origin.error === undefined ? (
      <Skeleton className="h-60" />
    ) : (
      <ErrorState
        title="Where it came from could not be loaded"
        thing="item"
        error={origin.error}
        onRetry={origin.refresh}
      />
    );
  }
  const sales = (pages ?? []).flatMap((page) => page.sales);
  const list = "divide-y divide-border rounded-card border border-border";
  return (
    <div className="flex flex-col gap-6">
      <HeldNotice freshness={origin.freshness} />
      <p className="text-16 font-semibold wrap-anywhere">{first.itemName}</p>
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">Came in</h3>
        {(origin.rows ?? []).length === 0 ? <p className="text-muted">No units yet.</p> : null}
        <ul aria-label="Came in" className={list}>
          {(origin.rows ?? []).map((intake) => (
            <CameIn key={intake.line} intake={intake} />
          ))}
        </ul>
      </section>
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">Sold</h3>
        {sales.length === 0 ? <p className="text-muted">Not sold yet.</p> : null}
        <ul aria-label="Sold" className={list}>
          {sales.map(({ line, saleID, units, happenedAt }) => (
            <li key={line} className="flex flex-wrap items-center gap-x-3 px-4 py-1.5">
              <span className="grow">{formatQuantity(units, "unit")}</span>
              <span className="text-12 text-muted">
                <DateTime at={happenedAt} />
              </span>
              <WhyLink why={{ kind: "sale", id: saleID }}>What it paid for</WhyLink>
            </li>
          ))}
        </ul>
      </section>
      <LoadMore list={origin} className="self-start" />
    </div>
  );
}

const sourceNames: Readonly<Record<NonNullable<Intake["source"]>, string>> = {
  manual: "entered by hand",
  "mass-input": "scanned at intake",
  copy: "copied from another item",
  import: "imported",
  allocation: "allocated by the store",
};

function CameIn({ intake }: { readonly intake: Intake }) {
  const { role } = useProfile();
  const { units, source, shipment, happenedAt, fromItemID } = intake;
  return (
    <li className="flex flex-col gap-0.5 px-4 py-2">
      <span>{`${formatQuantity(units, "unit")}, ${sourceNames[source ?? "allocation"]}`}</span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
        <DateTime at={happenedAt} />
        {shipment === null ? null : (
          <TextLink
            to={`${role === "admin" ? paths.adminShipments : paths.userShipments}?shipment=${shipment.shipmentID}`}
          >
            Shipment
          </TextLink>
        )}
        {fromItemID === null ? null : (
          <WhyLink why={{ kind: "item", id: fromItemID }}>The item before</WhyLink>
        )}
      </span>
    </li>
  );
}
