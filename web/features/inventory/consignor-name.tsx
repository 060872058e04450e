// Shows a consignor's name where only the uid is available.
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useConsignor } from "#web/shared/consignor/consignor-api.ts";

export function ConsignorName({ uid }: { readonly uid: string }) {
  const consignor = useConsignor(uid);
  return consignor === undefined ? (
    <Skeleton className="inline-block h-3 w-20 align-middle" />
  ) : (
    <span>{consignor.label}</span>
  );
}
