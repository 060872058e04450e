// What the image backfill's screen reads, every two seconds while it runs, and what admins do there.
import { missingImagesResponse, type MissingImagesResponse } from "#features/images/contract.ts";
import { backfillResponse, type BackfillResponse } from "#features/images/contract-backfill.ts";
import { useByTheClock } from "#web/lib/by-the-clock.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export type BackfillAct = "start" | "pause" | "resume" | "finish";

/** One item every two seconds. */
const OFTEN_MS = 2_000;

/** A failed search is not an event of the ledger, so this is read by the clock while it runs. */
export function useBackfill(): Read<BackfillResponse> {
  const read = useRead("/admin/image-backfill", backfillResponse);
  return useByTheClock(read, read.data?.backfill?.state === "running" ? OFTEN_MS : undefined);
}

export function useMissingImages(): Read<MissingImagesResponse> {
  return useRead("/admin/items-missing-images", missingImagesResponse);
}

export function actOnBackfill(act: BackfillAct, key: string): Promise<BackfillResponse> {
  const path = `/admin/image-backfill/${act}`;
  return send({ method: "POST", path, answer: backfillResponse, key });
}

/** One failed item, or all of them. */
export function retryImages(itemUID: string | undefined, key: string): Promise<BackfillResponse> {
  return send({
    method: "POST",
    path: "/admin/image-backfill/retry",
    body: itemUID === undefined ? {} : { itemUID },
    answer: backfillResponse,
    key,
  });
}
