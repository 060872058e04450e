// The loaded accounts of the old app, and the people they belong to.
import {
  legacyUsersResponse,
  loadLegacyResponse,
  type LegacyUser,
  type LegacyUsersResponse,
  type LoadLegacyResponse,
} from "#features/migration/contract.ts";
import { pathOf, send } from "#web/lib/http.ts";
import { usePagedRead, useRead, type PagedRead } from "#web/lib/read.ts";

const pageSize = 50;

export const legacyStatuses = ["waiting", "needs_review", "migrated", "all"] as const;
export type LegacyStatus = (typeof legacyStatuses)[number];

export type LegacyFilters = { readonly q: string | undefined; readonly status: LegacyStatus };

export function legacyFiltersIn(params: URLSearchParams): LegacyFilters {
  return {
    q: params.get("q")?.trim() || undefined,
    status: legacyStatuses.find((status) => status === params.get("status")) ?? "waiting",
  };
}

const legacyUsersOf = (page: LegacyUsersResponse): readonly LegacyUser[] => page.legacyUsers;
const hasMoreLegacy = (page: LegacyUsersResponse): boolean => page.hasMore;

export function useLegacyUsers(filters: LegacyFilters): PagedRead<LegacyUser, LegacyUsersResponse> {
  return usePagedRead({
    pathOf: (page) => pathOf("/auth/legacy-users", { ...filters, page, limit: pageSize }),
    schema: legacyUsersResponse,
    rowsOf: legacyUsersOf,
    hasMoreAfter: hasMoreLegacy,
  });
}

/** The name shown for an old account. */
export function legacyName({
  displayName,
  username,
  email,
  legacyId,
}: Pick<LegacyUser, "displayName" | "username" | "email" | "legacyId">): string {
  return displayName ?? username ?? email ?? legacyId;
}

/** Whether a file was loaded at all; undefined until it is known. */
export function useHasLegacy(): boolean | undefined {
  const { data } = useRead(
    pathOf("/auth/legacy-users", { status: "all", limit: 1 }),
    legacyUsersResponse,
  );
  return data === undefined ? undefined : data.total > 0;
}

/** Loads accounts, or only says what is wrong with them. Loading the same ones again changes nothing. */
export function sendLegacy(
  users: readonly unknown[],
  checkOnly: boolean,
  key: string,
): Promise<LoadLegacyResponse> {
  return send({
    method: "POST",
    path: "/auth/legacy-users",
    body: { users, checkOnly },
    answer: loadLegacyResponse,
    key,
  });
}
