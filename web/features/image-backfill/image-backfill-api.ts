// What the image backfill's screen reads, every two seconds while it runs, and what admins do there.
import { useEffect, useEffectEvent } from "react";
import { missingImagesResponse, type MissingImagesResponse } from "#features/images/contract.ts";
import { backfillResponse, type BackfillResponse } from "#features/images/contract-backfill.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export type BackfillAct = "start" | "pause" | "resume" | "finish";

/** One item every two seconds. */
const OFTEN_MS = 2_000;

/** A failed search is not an event of the ledger, so this is read by the clock while it runs and the page is visible. */
export function useBackfill(): Read<BackfillResponse> {
  const read = useRead("/admin/image-backfill", backfillResponse);
  const isRunning = read.data?.backfill?.state === "running";
  const refresh = useEffectEvent(() => {
    if (document.visibilityState === "visible") {
      read.refresh();
    }
  });
  useEffect(() => {
    const timer = isRunning ? setInterval(() => refresh(), OFTEN_MS) : undefined;
    return () => clearInterval(timer);
  }, [isRunning]);
  return read;
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
