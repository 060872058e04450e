// One item as it was recorded at a moment: in place of the item of now, without actions.
import type { ApiError } from "#web/lib/api-error.ts";
import { formatCount } from "#web/lib/formats.ts";
import { Chip } from "#web/ui/chip.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { ItemIcon } from "#web/ui/thing-icons.ts";
import { Unknown } from "#web/ui/unknown.tsx";
import { usePastItem } from "./past-api.ts";
import { PastRibbon } from "./past-ribbon.tsx";

export function PastItem({ itemId, at }: { readonly itemId: string; readonly at: string }) {
  const { data, error, refresh } = usePastItem(itemId, at);
  return (
    <div className="flex flex-col gap-4">
      <PastRibbon at={data?.at} position={data?.position} />
      {data === undefined ? (
        <NoItem error={error} onRetry={refresh} />
      ) : (
        <FactList
          facts={[
            { label: "Name", value: data.item.itemName },
            { label: "Quantity", value: formatCount(data.item.quantity) },
            {
              label: "Tag price",
              value:
                data.item.tagPriceCents === null ? (
                  <Unknown reason="no tag price" />
                ) : (
                  <Money cents={data.item.tagPriceCents} />
                ),
            },
            { label: "Location", value: textOr(data.item.location, "no location") },
            { label: "Barcode 1", value: textOr(data.item.barcode1, "none") },
            { label: "Barcode 2", value: textOr(data.item.barcode2, "none") },
            { label: "Added", value: <DateTime at={data.item.addedAt} /> },
            ...(data.item.archived
              ? [{ label: "State", value: <Chip kind="neutral">Deleted</Chip> }]
              : []),
          ]}
        />
      )}
    </div>
  );
}

function textOr(text: string, reason: string) {
  return text === "" ? <Unknown reason={reason} /> : text;
}

type NoItemProps = { readonly error: ApiError | undefined; readonly onRetry: () => void };

function NoItem({ error, onRetry }: NoItemProps) {
  if (error === undefined) {
    return <Skeleton className="h-40" />;
  }
  return error.status === 404 ? (
    <EmptyState icon={ItemIcon} title="It was not there yet" />
  ) : (
    <ErrorState title="The item could not be loaded" error={error} onRetry={onRetry} />
  );
}
