// The calls for people as admins manage them: the list with its filters, one person's changes, and actions on an account.
import {
  setBalanceResponse,
  type SetBalanceRequest,
  type SetBalanceResponse,
} from "#features/accounts/contract.ts";
import { summaryResponse, type SummaryResponse } from "#features/accounts/contract-summary.ts";
import {
  migrateAllResponse,
  migrateUserResponse,
  type MigrateAllResponse,
  type MigrateUserResponse,
} from "#features/migration/contract.ts";
import {
  factorsResetResponse,
  userFactorsResponse,
  type FactorsReset,
  type UserFactorsResponse,
} from "#features/sign-in/contract-factors.ts";
import { agreeShareResponse, type AgreeShareResponse } from "#features/settings/contract.ts";
import { userResponse, type UserResponse } from "#features/users/contract.ts";
import {
  deleteUserResponse,
  updateUserResponse,
  type UpdateUserResponse,
  userChangesResponse,
  userListResponse,
  userSort,
  type ListedUser,
  type UpdateUserRequest,
  type UserChange,
  type UserChangesResponse,
  type UserListResponse,
  type UserSort,
} from "#features/users/contract-people.ts";
import { pathOf, send, type Query } from "#web/lib/http.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

const pageSize = 50;

/** The list's filters in the address of /consignors. Unknown values are ignored. */
export type ConsignorFilters = {
  readonly q: string | undefined;
  readonly role: ListedUser["role"] | undefined;
  readonly status: "deleted" | "all" | undefined;
  readonly money: "owed" | "negative" | "pending" | undefined;
  readonly sort: UserSort | undefined;
  readonly order: "desc" | undefined;
};

function oneOf<Value extends string>(
  values: readonly Value[],
  text: string | null,
): Value | undefined {
  return values.find((value) => value === text);
}

export function consignorFiltersIn(params: URLSearchParams): ConsignorFilters {
  const sort = userSort.safeParse(params.get("sort"));
  return {
    q: params.get("q")?.trim() || undefined,
    role: oneOf(["user", "admin"], params.get("role")),
    status: oneOf(["deleted", "all"], params.get("status")),
    money: oneOf(["owed", "negative", "pending"], params.get("money")),
    sort: sort.success && sort.data !== "name" ? sort.data : undefined,
    order: oneOf(["desc"], params.get("order")),
  };
}

type BalanceAndStatus = Pick<ConsignorFilters, "money" | "status">;

/**
 * What a choice of the balance makes of both filters. A deleted person may still owe the store, and the tile counts them,
 * so "Owed to the store" begins with any status; leaving it takes that back.
 */
export function balanceChanges(
  { money: before, status }: BalanceAndStatus,
  money: ConsignorFilters["money"],
): BalanceAndStatus {
  if (money === "negative") {
    return { money, status: status ?? "all" };
  }
  return { money, status: before === "negative" && status === "all" ? undefined : status };
}

/** Whether the filters leave anyone out. Sorting does not count. */
export function isFiltered({ q, role, status, money }: ConsignorFilters): boolean {
  return [q, role, status, money].some((value) => value !== undefined);
}

const usersOf = (page: UserListResponse): readonly ListedUser[] => page.users;
const hasMoreUsers = (page: UserListResponse): boolean => page.hasMore;

function queryOf(filters: ConsignorFilters): Query {
  return { ...filters };
}

export function useConsignors(filters: ConsignorFilters): PagedRead<ListedUser, UserListResponse> {
  return usePagedRead({
    pathOf: (page) => pathOf("/auth/all-users", { ...queryOf(filters), page, limit: pageSize }),
    schema: userListResponse,
    rowsOf: usersOf,
    hasMoreAfter: hasMoreUsers,
  });
}

export function consignorExportPath(filters: ConsignorFilters): string {
  return pathOf("/auth/all-users/export", queryOf(filters));
}

export function useUser(uid: string): Read<UserResponse> {
  return useRead(`/auth/users/${uid}`, userResponse);
}

export function useUserSummary(uid: string): Read<SummaryResponse> {
  return useRead(`/accounts/${uid}/summary`, summaryResponse);
}

const changesOf = (page: UserChangesResponse): readonly UserChange[] => page.changes;
const hasMoreChanges = (page: UserChangesResponse): boolean => page.nextBefore !== null;

export function useUserChanges(uid: string): PagedRead<UserChange, UserChangesResponse> {
  return usePagedRead({
    pathOf: (_page, previous: UserChangesResponse | undefined) =>
      pathOf(`/auth/users/${uid}/changes`, { before: previous?.nextBefore ?? undefined }),
    schema: userChangesResponse,
    rowsOf: changesOf,
    hasMoreAfter: hasMoreChanges,
  });
}

export type Change<Body> = { readonly uid: string; readonly body: Body };

/** Throws ApiError. */
export async function updateUser(
  { uid, body }: Change<UpdateUserRequest>,
  key: string,
): Promise<UpdateUserResponse> {
  const path = `/auth/users/${uid}`;
  return await send({ method: "PUT", path, body, answer: updateUserResponse, key });
}

/** The call that sets a balance. */
export function setBalanceCall(uid: string, body: SetBalanceRequest) {
  return { method: "PUT", path: `/sales/balance/${uid}`, body } as const;
}

/** Throws ApiError. */
export async function setBalance(
  { uid, body }: Change<SetBalanceRequest>,
  key: string,
): Promise<SetBalanceResponse> {
  return await send({ ...setBalanceCall(uid, body), answer: setBalanceResponse, key });
}

/** Throws ApiError. */
export async function deleteUser(uid: string, key: string): Promise<string> {
  const path = `/auth/users/${uid}`;
  const { message } = await send({ method: "DELETE", path, answer: deleteUserResponse, key });
  return message;
}

export type MigrationInput = { readonly uid: string; readonly legacyId: string | undefined };

/** With `legacyId` it confirms that this old account is the person's. Throws ApiError. */
export async function migrateUser(
  { uid, legacyId }: MigrationInput,
  key: string,
): Promise<MigrateUserResponse> {
  return await send({
    method: "POST",
    path: `/auth/users/${uid}/migrate`,
    body: legacyId === undefined ? {} : { legacyId },
    answer: migrateUserResponse,
    key,
  });
}

/** Throws ApiError. */
export async function migrateAll(_: undefined, key: string): Promise<MigrateAllResponse> {
  const path = "/auth/migrate-all";
  return await send({ method: "POST", path, body: {}, answer: migrateAllResponse, key });
}

export type ShareInput = { readonly uid: string; readonly percentage: number | null };

/** Null: the store's default applies again. Throws ApiError. */
export async function agreeShare(
  { uid, percentage }: ShareInput,
  key: string,
): Promise<AgreeShareResponse> {
  return await send({
    method: "PUT",
    path: `/settings/consignors/${uid}/share`,
    body: { percentage },
    answer: agreeShareResponse,
    key,
  });
}

export function useUserFactors(uid: string): Read<UserFactorsResponse> {
  return useRead(`/auth/users/${uid}/factors`, userFactorsResponse);
}

/** Takes all second factors from somebody who lost them. Throws ApiError. */
export function resetFactors(uid: string, key: string): Promise<FactorsReset> {
  const path = `/auth/users/${uid}/factors`;
  return send({ method: "DELETE", path, answer: factorsResetResponse, key });
}
