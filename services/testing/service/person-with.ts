// A consignor who has money, for tests of what is done with it.
import { randomUUID } from "node:crypto";
import { setBalance } from "#features/accounts/decider.ts";
import type { TestApp, TestPerson } from "./test-app.ts";

/** A new consignor with this much available, set by `admin`. */
export async function personWith(
  shop: TestApp,
  admin: TestPerson,
  name: string,
  balanceCents: number,
): Promise<TestPerson> {
  const person = await shop.person(name);
  await shop.deps.ledger.execute(
    setBalance,
    {
      uid: person.uid,
      balanceCents,
      expectedCents: null,
      noteId: null,
      happenedAt: "2026-11-20T10:00:00.000Z",
    },
    { actor: admin.uid, scope: "store", key: randomUUID(), requestHash: "00" },
  );
  return person;
}
