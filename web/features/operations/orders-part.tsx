// What operators ordered about one projection: who, when and why, what came of it, and how long it took.
import type { TableOrder } from "#features/operations/contract.ts";
import { formatCount } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { EventLink } from "./event-link.tsx";
import { lagText } from "./lag-text.ts";
import { useOrders } from "./operations-api.ts";

const acts = {
  rebuild: "Rebuild",
  pause: "Pause",
  resume: "Resume",
  cancel: "Cancel",
  flip: "Switch",
  "take-back": "Switch back",
} as const;

const outcomes = {
  done: "Done",
  failed: "Failed",
  paused: "Paused",
  canceled: "Canceled",
  waiting: "Not done yet",
} as const;

function Outcome({ outcome, seconds }: TableOrder) {
  if (outcome === "unknown") {
    return <Unknown reason="how it ended was not kept" />;
  }
  const after = outcome === "failed" ? "after" : "in";
  return (
    <>
      {outcomes[outcome]}
      {seconds === null ? null : ` ${after} ${lagText(Math.max(seconds, 0.001))}`}
    </>
  );
}

function Order(order: TableOrder) {
  const { act, version, acceptHeld, position, error, why, actor, at } = order;
  return (
    <li className="flex flex-col gap-0.5 border-b border-border py-2 last:border-b-0">
      <div className="flex items-baseline justify-between gap-3">
        <span>
          {acts[act]}
          {version === null ? null : (
            <span className="text-muted">{`, version ${formatCount(version)}`}</span>
          )}
        </span>
        <span className="text-end">
          <Outcome {...order} />
        </span>
      </div>
      {acceptHeld ? <p className="text-12 text-muted">Although rows are missing</p> : null}
      <ErrorLine>{error ?? undefined}</ErrorLine>
      <p className="text-12 wrap-anywhere text-muted">
        {why ?? <Unknown reason="the reason was erased" />}
      </p>
      <div className="flex flex-wrap justify-between gap-x-3 text-12 text-muted">
        <span>
          {withIsolatedNames(`${actor.displayName}, `)}
          <DateTime at={at} />
        </span>
        <EventLink position={position} />
      </div>
    </li>
  );
}

export function OrdersPart({ projection }: { readonly projection: string }) {
  const { data, error } = useOrders(projection);
  return (
    <section aria-label="Earlier orders" className="flex flex-col gap-1">
      <h3 className="font-medium">Earlier orders</h3>
      {data === undefined ? (
        error === undefined ? (
          <Skeleton className="h-20" />
        ) : (
          <ErrorLine>The orders could not be loaded</ErrorLine>
        )
      ) : data.orders.length === 0 ? (
        <p className="text-muted">None.</p>
      ) : (
        <ul>
          {data.orders.map((order) => (
            <Order key={order.position} {...order} />
          ))}
        </ul>
      )}
    </section>
  );
}
