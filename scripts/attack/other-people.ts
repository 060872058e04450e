// Attacks with other people's ids: every call of the OpenAPI document as nobody, as a consignor, and about a victim.
import { z } from "zod";
import { type Attack, judge, notTried, type Outcome } from "./attack.ts";
import type { Ground, Things } from "./ground.ts";
import { done } from "./send.ts";

const documentShape = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        "x-access": z.string().optional(),
        parameters: z.array(z.object({ in: z.string(), name: z.string() })).optional(),
      }),
    ),
  ),
});

export type DocumentedCall = {
  readonly method: string;
  readonly path: string;
  readonly access: string;
  readonly query: readonly string[];
};

/** Every call that the store documents. */
export async function documentedCalls({ send }: Ground): Promise<readonly DocumentedCall[]> {
  const reply = await done(send("GET /api/openapi.json"));
  const { paths } = documentShape.parse(JSON.parse(reply.text));
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], "x-access": access = "" }]) => ({
      method: method.toUpperCase(),
      path,
      access,
      query: parameters.filter((each) => each.in === "query").map(({ name }) => name),
    })),
  );
}

/** The path with the victim's ids. */
export function filled(path: string, { victim }: Ground, things: Things | null): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const byName: Readonly<Record<string, string | undefined>> = {
      uid: victim.uid,
      userId: victim.uid,
      consignorId: victim.uid,
      itemId: things?.item,
      shipmentId: things?.shipment,
      payoutId: things?.payout,
      payoutID: things?.payout,
      saleID: things?.sale,
      offerId: things?.offer,
      position: things?.event,
      line: things?.event,
    };
    return byName[name] ?? idIn(path, victim.uid, things) ?? "00000000-0000-4000-8000-000000000000";
  });
}

/** What `{id}` is of, by the rest of the path. */
function idIn(path: string, uid: string, things: Things | null): string | undefined {
  const kinds: readonly (readonly [RegExp, string | undefined])[] = [
    [/\/trades\/offers\//, things?.offer],
    [/\/trades\//, things?.trade],
    [/\/shipments\/admin\//, things?.shipment],
    [/\/items\/|\/inventory\//, things?.item],
    [/\/sales\/\{id\}/, things?.sale],
    [/\/sales\/|\/accounts\//, uid],
  ];
  return kinds.find(([pattern]) => pattern.test(path))?.[1];
}

const ofBody = (method: string) => (method === "GET" || method === "DELETE" ? {} : { body: {} });

async function asNobody(ground: Ground): Promise<Outcome> {
  const calls = (await documentedCalls(ground)).filter(({ access }) => access !== "open");
  const problems: string[] = [];
  for (const { method, path } of calls) {
    const { status } = await ground.send(
      `${method} ${filled(path, ground, ground.things)}`,
      ofBody(method),
    );
    if (status !== 401) {
      problems.push(`${method} ${path} was answered ${status}`);
    }
  }
  return judge(problems, `401 from all ${calls.length}`);
}

async function asAdmin(ground: Ground): Promise<Outcome> {
  const calls = (await documentedCalls(ground)).filter(({ access }) => access === "admin");
  const problems: string[] = [];
  for (const { method, path } of calls) {
    const { status } = await ground.send(`${method} ${filled(path, ground, ground.things)}`, {
      as: ground.attacker,
      ...ofBody(method),
    });
    if (status !== 403) {
      problems.push(`${method} ${path} was answered ${status}`);
    }
  }
  return judge(problems, `403 from all ${calls.length}`);
}

/** With bodies that other calls would take, so that a missing check shows itself. */
const likelyBody = {
  amount: 1,
  method: "cashapp",
  paymentUsername: "$Attacker",
  carrier: "UPS",
  trackingNumber: "STOLEN-1",
};

async function aboutTheVictim(ground: Ground): Promise<Outcome> {
  const calls = (await documentedCalls(ground)).filter(
    ({ path, access }) => path.includes("{") && !["open", "admin"].includes(access),
  );
  const problems: string[] = [];
  for (const { method, path } of calls) {
    const bodies = ofBody(method).body === undefined ? [undefined] : [{}, likelyBody];
    for (const body of bodies) {
      const call = `${method} ${filled(path, ground, ground.things)}`;
      const sent = body === undefined ? {} : { body };
      const { status } = await ground.send(call, { as: ground.attacker, ...sent });
      if (![400, 403, 404, 409].includes(status)) {
        problems.push(`${method} ${path} was answered ${status}`);
      }
    }
  }
  return judge(problems, `refused by all ${calls.length}`);
}

/** Filters that name the victim or something of theirs. */
function filtersOf({ victim }: Ground, things: Things): Readonly<Record<string, string>> {
  return {
    consignor: victim.email,
    person: victim.uid,
    uid: victim.uid,
    actor: victim.uid,
    item: things.item,
    sale: things.sale,
    trade: things.trade,
    payout: things.payout,
    shipment: things.shipment,
    q: victim.email,
    searchTerm: "Lamp",
  };
}

async function leaks(ground: Ground): Promise<Outcome> {
  const { things, attacker, send } = ground;
  if (things === null) {
    return notTried("an admin must make things of the victim first");
  }
  const reads = (await documentedCalls(ground)).filter(
    ({ method, access, path }) =>
      method === "GET" &&
      access !== "admin" &&
      !path.endsWith("/live") &&
      !path.endsWith("openapi.json"),
  );
  const filters = filtersOf(ground, things);
  const problems: string[] = [];
  for (const { path, query } of reads) {
    const address = filled(path, ground, things);
    const known = query.filter((name) => filters[name] !== undefined);
    const searches = [
      "",
      ...known.map((name) => `?${name}=${encodeURIComponent(filters[name] ?? "")}`),
    ];
    for (const search of searches) {
      const { text, status } = await send(`GET ${address}${search}`, { as: attacker });
      const asked = decodeURIComponent(`${address}${search}`);
      const word = things.words.find((each) => text.includes(each) && !asked.includes(each));
      if (word !== undefined || status >= 500) {
        problems.push(`GET ${path}${search} answered ${status} with ${word ?? "a failure"}`);
      }
    }
  }
  return judge(problems, `nothing in ${reads.length} reads`);
}

export const otherPeopleAttacks: readonly Attack[] = [
  { name: "every call without signing in", expected: "401", run: asNobody },
  { name: "every admin's call as a consignor", expected: "403", run: asAdmin },
  {
    name: "every call with an id, about another consignor",
    expected: "refused",
    run: aboutTheVictim,
  },
  {
    name: "another consignor's data in lists, searches, histories and files",
    expected: "not a word of it",
    run: leaks,
  },
];
