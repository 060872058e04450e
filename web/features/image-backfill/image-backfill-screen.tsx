// /admin/image-backfill: looks for the pictures of all items without one, item by item, also while nobody watches.
import { CircleCheck, ImageDown, Pause, Play, RefreshCw } from "lucide-react";
import { useEffect } from "react";
import { useNavigate } from "react-router-dom";
import type { BackfillResponse } from "#features/images/contract-backfill.ts";
import { useAction } from "#web/lib/action.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useIsPhone } from "#web/lib/use-media.ts";
import { paths } from "#web/paths.ts";
import { BackLink } from "#web/ui/back-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { lastOne, useFocusKept } from "#web/ui/focus-kept.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Page } from "#web/ui/page.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { showErrorToast } from "#web/ui/toast.ts";
import { BackfillProgress } from "./backfill-progress.tsx";
import {
  actOnBackfill,
  retryImages,
  useBackfill,
  useMissingImages,
  type BackfillAct,
} from "./image-backfill-api.ts";
import { Failures, MissingItems, noImagePath } from "./item-lists.tsx";

type State = "none" | NonNullable<BackfillResponse["backfill"]>["state"];

export function ImageBackfillScreen() {
  const read = useBackfill();
  const missing = useMissingImages();
  const action = useAction(actOnBackfill);
  const retry = useAction(retryImages);
  const isPhone = useIsPhone();
  const goesHome = useForbidden(read.error?.status);
  const { data } = read;
  const state = data?.backfill?.state ?? "none";
  const reload = (): void => {
    read.refresh();
    missing.refresh();
  };
  const failure = action.error ?? retry.error;
  const frame = useFocusKept<HTMLSpanElement>(action.isBusy, lastOne);
  const acts = (
    <span className="flex items-center gap-2">
      {data === undefined ? null : (
        <span ref={frame} className="flex items-center gap-2">
          <Acts
            state={state}
            isBusy={action.isBusy}
            searchable={missing.data?.debug.searchable}
            onAct={(act) => void action.run(act)}
          />
        </span>
      )}
      <IconButton icon={RefreshCw} label="Reload" onClick={reload} />
    </span>
  );
  return (
    <Page
      title="Image backfill"
      back={<BackLink to={noImagePath} label="Back to items without a picture" />}
      subtitle="Copies the retailer's pictures of items that have none, one item every two seconds"
      actions={isPhone ? undefined : acts}
    >
      {isPhone ? acts : null}
      <ErrorLine>
        {failure === undefined ? undefined : `Error changing the backfill: ${failure.message}`}
      </ErrorLine>
      {data === undefined ? (
        read.error === undefined || goesHome ? (
          <Skeleton className="h-44 w-full" />
        ) : (
          <ErrorState
            title="The backfill could not be loaded"
            error={read.error}
            onRetry={read.refresh}
          />
        )
      ) : (
        <>
          {data.backfill === null ? null : <BackfillProgress backfill={data.backfill} />}
          {data.failures.length === 0 ? null : (
            <Failures
              failures={data.failures}
              isBusy={retry.isBusy}
              onRetry={(itemUID) => void retry.run(itemUID)}
            />
          )}
          {state === "running" || state === "paused" ? null : <Missing read={missing} />}
        </>
      )}
    </Page>
  );
}

/** Somebody who is not an admin any more reads why, and is taken home. */
function useForbidden(status: number | undefined): boolean {
  const navigate = useNavigate();
  const isForbidden = status === 403;
  useEffect(() => {
    if (isForbidden) {
      showErrorToast("Admin access required");
      void navigate(paths.home, { replace: true });
    }
  }, [isForbidden, navigate]);
  return isForbidden;
}

type ActsProps = {
  readonly state: State;
  readonly isBusy: boolean;
  /** Undefined while loading. */
  readonly searchable: number | undefined;
  readonly onAct: (act: BackfillAct) => void;
};

function Acts({ state, isBusy, searchable, onAct }: ActsProps) {
  if (state === "none" || state === "finished") {
    return (
      <Button
        variant="primary"
        icon={ImageDown}
        disabled={isBusy || searchable === undefined || searchable === 0}
        onClick={() => onAct("start")}
      >
        Start
      </Button>
    );
  }
  return (
    <>
      <Button icon={CircleCheck} disabled={isBusy} onClick={() => onAct("finish")}>
        Finish
      </Button>
      {state === "running" ? (
        <Button variant="primary" icon={Pause} disabled={isBusy} onClick={() => onAct("pause")}>
          Pause
        </Button>
      ) : (
        <Button variant="primary" icon={Play} disabled={isBusy} onClick={() => onAct("resume")}>
          Resume
        </Button>
      )}
    </>
  );
}

function Missing({ read }: { readonly read: ReturnType<typeof useMissingImages> }) {
  const { data, error, refresh } = read;
  if (data === undefined) {
    return error === undefined ? (
      <Skeleton className="h-44 w-full" />
    ) : (
      // The browser logs the failed request in its console.
      <ErrorState
        title="Failed to load items. Check console for details."
        error={error}
        onRetry={refresh}
      />
    );
  }
  const { searchable, missingImages, capped } = data.debug;
  const more = capped ? "+" : "";
  return (
    <section aria-label="To search for" className="flex flex-col gap-2">
      <h2 className="text-16 font-semibold">To search for</h2>
      <p className="text-muted">
        {`${formatQuantity(missingImages, "item")}${more} without a picture, ${searchable} of them with a link to a product of the retailer`}
      </p>
      <MissingItems items={data.items} hasOthers={missingImages > 0} />
    </section>
  );
}
