// How forms and filters choose consignors: the search behind the field, the name for a uid, and the last choice.
import useSWRImmutable from "swr/immutable";
import * as z from "zod/mini";
import { userResponse } from "#features/users/contract.ts";
import { userSearchResponse } from "#features/users/contract-people.ts";
import { pathOf, read } from "#web/lib/http.ts";
import { localValue } from "#web/lib/local-store.ts";

export type Consignor = {
  readonly uid: string;
  readonly label: string;
  readonly hint: string | undefined;
};

type Named = {
  readonly uid: string;
  readonly displayName?: string | null;
  readonly username?: string | null;
  readonly email?: string | null;
  readonly emailVerified?: boolean;
};

/** Anybody can sign up with a name and an address that are not theirs, so an address that is not proved says so. */
function consignorOf({ uid, displayName, username, email, emailVerified }: Named): Consignor {
  const label = displayName || username || email || uid;
  const words = [
    ...(emailVerified === false ? ["Not verified"] : []),
    ...(email && email !== label ? [email] : []),
  ];
  return { uid, label, hint: words.length === 0 ? undefined : words.join(": ") };
}

/** People who have an email, each once. Throws ApiError. */
export async function searchConsignors(term: string): Promise<readonly Consignor[]> {
  const { value } = await read(pathOf("/auth/search", { q: term }), userSearchResponse);
  const byUid = new Map(
    value.users.flatMap((user) => (user.email === "" ? [] : [[user.uid, consignorOf(user)]])),
  );
  return [...byUid.values()];
}

/** Whether a text may be a uid rather than words to search for. */
export function looksLikeUid(text: string): boolean {
  return text.length >= 20 && !text.includes("@");
}

async function readConsignor(uid: string): Promise<Consignor> {
  const { value } = await read(`/auth/users/${encodeURIComponent(uid)}`, userResponse);
  return value.deactivated
    ? { uid: value.uid, label: "Deleted user", hint: undefined }
    : consignorOf(value);
}

/** The person with this uid; undefined while unknown. */
export function useConsignor(uid: string | undefined): Consignor | undefined {
  return useSWRImmutable(
    uid === undefined || !looksLikeUid(uid) ? null : ["consignor", uid],
    ([, id]: readonly [string, string]) => readConsignor(id),
  ).data;
}

/** An item's consignor: the person with this uid; another value is searched. Throws ApiError. */
export async function findConsignor(value: string): Promise<Consignor | undefined> {
  return looksLikeUid(value) ? readConsignor(value) : (await searchConsignors(value))[0];
}

export function useItemConsignor(value: string): Consignor | undefined {
  return useSWRImmutable(["item-consignor", value], () => findConsignor(value)).data;
}

const storedConsignor = z.nullable(z.object({ uid: z.string(), label: z.string() }));

/** The last choice, which is prefilled in the next form. */
const lastConsignor = localValue<z.infer<typeof storedConsignor>>(
  "lastConsignor",
  storedConsignor,
  null,
);

export function rememberConsignor({ uid, label }: Consignor): void {
  lastConsignor.write({ uid, label });
}

export function rememberedConsignor(): Consignor | undefined {
  const stored = lastConsignor.read();
  return stored === null ? undefined : { ...stored, hint: undefined };
}
