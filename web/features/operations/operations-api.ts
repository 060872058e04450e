// What the operations screen reads, again and again while it is open, and what operators do there.
import { useEffect, useEffectEvent } from "react";
import {
  actionsResponse,
  heldResponse,
  jobsResponse,
  olderResponse,
  operatorResponse,
  projectionsResponse,
  systemResponse,
  tableOrdersResponse,
  type ActionsResponse,
  type FlipRequest,
  type FoldAgainRequest,
  type HeldResponse,
  type JobsResponse,
  type OlderResponse,
  type OperatorAct,
  type ProjectionsResponse,
  type SystemResponse,
  type TableOrdersResponse,
} from "#features/operations/contract.ts";
import { backupsResponse, type BackupsResponse } from "#features/restores/contract.ts";
import { outboxResponse, type OutboxResponse } from "#features/notifications/contract-outbox.ts";
import { pathOf, send } from "#web/lib/http.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

const OFTEN_MS = 2_000;
const SELDOM_MS = 10_000;

/** Machinery changes without any event of the ledger, so these are read by the clock while the page is visible. */
function useOften<T>(read: Read<T>, everyMs: number): Read<T> {
  const refresh = useEffectEvent(() => {
    if (document.visibilityState === "visible") {
      read.refresh();
    }
  });
  useEffect(() => {
    const timer = setInterval(() => refresh(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return read;
}

export function useTables(): Read<ProjectionsResponse> {
  return useOften(useRead("/operations/projections", projectionsResponse), OFTEN_MS);
}

/** Compared when it is asked for: big tables take some seconds. */
export function useOlder(projection: string): Read<OlderResponse> {
  return useRead(`/operations/projections/${projection}/older`, olderResponse);
}

export function useOrders(projection: string): Read<TableOrdersResponse> {
  return useOften(
    useRead(`/operations/projections/${projection}/orders`, tableOrdersResponse),
    OFTEN_MS,
  );
}

export function useHeld(): Read<HeldResponse> {
  return useOften(useRead("/operations/held", heldResponse), OFTEN_MS);
}

export function useJobs(): Read<JobsResponse> {
  return useOften(useRead("/operations/jobs", jobsResponse), SELDOM_MS);
}

export function useOutbox(): Read<OutboxResponse> {
  return useOften(useRead("/operations/notifications", outboxResponse), SELDOM_MS);
}

export function useSystem(): Read<SystemResponse> {
  return useOften(useRead("/operations/system", systemResponse), SELDOM_MS);
}

export function useBackups(): Read<BackupsResponse> {
  return useOften(useRead("/operations/backups", backupsResponse), SELDOM_MS);
}

export function useActions(): PagedRead<OperatorAct> {
  return usePagedRead<ActionsResponse, OperatorAct>({
    pathOf: (_page, previous) =>
      pathOf("/operations/actions", { before: previous?.before ?? undefined }),
    schema: actionsResponse,
    rowsOf: ({ actions }) => actions,
    hasMoreAfter: ({ before }) => before !== null,
  });
}

export type TableAct = "rebuild" | "pause" | "resume" | "cancel" | "flip" | "take-back";

/** Something an operator can do, before the reason is known. */
export type OperatorRequest =
  | {
      readonly kind: "table";
      readonly act: TableAct;
      readonly projection: string;
      /** How many row keys would be missing afterwards; whoever confirms accepts that. */
      readonly hides: number;
    }
  | { readonly kind: "fold-again"; readonly projection: string; readonly key: string | undefined }
  | {
      readonly kind: "job";
      readonly act: "retry" | "drop";
      readonly queue: string;
      readonly id: string;
    };

function bodyAndPath(
  request: OperatorRequest,
  why: string,
): { readonly path: string; readonly body: object } {
  switch (request.kind) {
    case "table": {
      const { act, projection, hides } = request;
      const body: FlipRequest = hides > 0 ? { why, acceptHeld: true } : { why };
      return { path: `/operations/projections/${projection}/${act}`, body };
    }
    case "fold-again": {
      const { projection, key } = request;
      const body: FoldAgainRequest =
        key === undefined ? { projection, why } : { projection, key, why };
      return { path: "/operations/held/fold-again", body };
    }
    default: {
      const { queue, id, act } = request;
      return { path: `/operations/jobs/${encodeURIComponent(queue)}/${id}/${act}`, body: { why } };
    }
  }
}

/** Throws ApiError. Returns the server's sentence. */
export async function act(
  { request, why }: { readonly request: OperatorRequest; readonly why: string },
  key: string,
): Promise<string> {
  const { path, body } = bodyAndPath(request, why);
  const { message } = await send({ method: "POST", path, body, answer: operatorResponse, key });
  return message;
}
