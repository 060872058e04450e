// What the operations screen reads, again and again while it is open, and what operators do there.
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
import { useByTheClock } from "#web/lib/by-the-clock.ts";
import { pathOf, send } from "#web/lib/http.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

const OFTEN_MS = 2_000;
const SELDOM_MS = 10_000;

export function useTables(): Read<ProjectionsResponse> {
  return useByTheClock(useRead("/operations/projections", projectionsResponse), OFTEN_MS);
}

/** Compared when it is asked for: big tables take some seconds. */
export function useOlder(projection: string): Read<OlderResponse> {
  return useRead(`/operations/projections/${projection}/older`, olderResponse);
}

export function useOrders(projection: string): Read<TableOrdersResponse> {
  return useByTheClock(
    useRead(`/operations/projections/${projection}/orders`, tableOrdersResponse),
    OFTEN_MS,
  );
}

export function useHeld(): Read<HeldResponse> {
  return useByTheClock(useRead("/operations/held", heldResponse), OFTEN_MS);
}

export function useJobs(): Read<JobsResponse> {
  return useByTheClock(useRead("/operations/jobs", jobsResponse), SELDOM_MS);
}

export function useOutbox(): Read<OutboxResponse> {
  return useByTheClock(useRead("/operations/notifications", outboxResponse), SELDOM_MS);
}

export function useSystem(): Read<SystemResponse> {
  return useByTheClock(useRead("/operations/system", systemResponse), SELDOM_MS);
}

export function useBackups(): Read<BackupsResponse> {
  return useByTheClock(useRead("/operations/backups", backupsResponse), SELDOM_MS);
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
