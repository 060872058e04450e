// Attacks by timing: the same money, unit or offer twice at once, and other people's idempotency keys.
import { randomUUID } from "node:crypto";
import { offerIdOf } from "#features/trades/streams.ts";
import { type Attack, judge, notTried, type Outcome } from "./attack.ts";
import type { Ground, Person } from "./ground.ts";
import { bodyOf, done, type Reply, type Sender, textIn } from "./send.ts";

const NO_ADMIN = notTried("an admin must give goods or money first");
const AT_ONCE = 8;

const atOnce = (ask: (nth: number) => Promise<Reply>): Promise<readonly Reply[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, nth) => ask(nth)));

const accepted = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200);

/** A new consignor with $50.00. */
async function paidPerson(ground: Ground, admin: Sender): Promise<Person> {
  const person = await ground.newPerson();
  const body = { consignorID: person.uid, itemName: "Thing", amount: 50 };
  await done(ground.send("POST /api/sales/custom", { as: admin, body }));
  return person;
}

const payoutOf = (amount: number) => ({ amount, method: "cashapp", paymentUsername: "$Racer" });

async function doublePayout(ground: Ground): Promise<Outcome> {
  const { send, admin } = ground;
  if (admin === null) {
    return NO_ADMIN;
  }
  const person = await paidPerson(ground, admin);
  const call = `POST /api/payouts/${person.uid}/request`;
  const given = accepted(await atOnce(() => send(call, { as: person, body: payoutOf(50) })));
  const left = bodyOf(await send(`GET /api/sales/balance/${person.uid}`, { as: person }))[
    "balance"
  ];
  return judge(
    given.length === 1 && left === 0 ? [] : [`${given.length} were accepted, ${String(left)} left`],
    `1 of ${AT_ONCE}, $0.00 left`,
  );
}

async function sameKeyAtOnce(ground: Ground): Promise<Outcome> {
  const { send, admin } = ground;
  if (admin === null) {
    return NO_ADMIN;
  }
  const person = await paidPerson(ground, admin);
  const headers = { "Idempotency-Key": randomUUID() };
  const call = `POST /api/payouts/${person.uid}/request`;
  const replies = await atOnce(() => send(call, { as: person, body: payoutOf(5), headers }));
  const ids = new Set(accepted(replies).map((reply) => textIn(reply, "payoutId")));
  const left = bodyOf(await send(`GET /api/sales/balance/${person.uid}`, { as: person }))[
    "balance"
  ];
  const other = await send(call, { as: person, body: payoutOf(6), headers });
  return judge(
    [
      ...(ids.size === 1 && left === 45 ? [] : [`${ids.size} payouts, ${String(left)} left`]),
      ...(other.status === 422 ? [] : [`another body was answered ${other.status}`]),
    ],
    "one payout; 422 for another body",
  );
}

async function paidAndTakenBack(ground: Ground): Promise<Outcome> {
  const { send, admin } = ground;
  if (admin === null) {
    return NO_ADMIN;
  }
  const person = await paidPerson(ground, admin);
  const asked = await done(
    send(`POST /api/payouts/${person.uid}/request`, { as: person, body: payoutOf(50) }),
  );
  const path = `/api/payouts/${person.uid}/${textIn(asked, "payoutId")}`;
  const replies = await atOnce((nth) =>
    nth % 2 === 0
      ? send(`PATCH ${path}/paid`, { as: admin, body: {} })
      : send(`DELETE ${path}`, { as: admin }),
  );
  const kinds = replies.flatMap(({ status }, nth) => (status === 200 ? [nth % 2] : []));
  return judge(
    kinds.length === 1 ? [] : [`${kinds.length} of ${AT_ONCE} were accepted`],
    `1 of ${AT_ONCE}: ${kinds[0] === 0 ? "paid" : "refunded"}`,
  );
}

/** The consignor tries first, and is refused. */
async function returnedTwice(ground: Ground): Promise<Outcome> {
  const { send, admin } = ground;
  if (admin === null) {
    return NO_ADMIN;
  }
  const person = await paidPerson(ground, admin);
  const asked = await done(
    send(`POST /api/payouts/${person.uid}/request`, { as: person, body: payoutOf(50) }),
  );
  const path = `/api/payouts/${person.uid}/${textIn(asked, "payoutId")}`;
  await done(send(`PATCH ${path}/paid`, { as: admin, body: {} }));
  const body = { reason: "race" };
  const own = await send(`POST ${path}/return`, { as: person, body });
  const given = accepted(await atOnce(() => send(`POST ${path}/return`, { as: admin, body })));
  const balance = await send(`GET /api/sales/balance/${person.uid}`, { as: person });
  const left = bodyOf(balance)["balance"];
  return judge(
    [
      ...(own.status === 403 ? [] : [`the consignor was answered ${own.status}`]),
      ...(given.length === 1 && left === 50
        ? []
        : [`${given.length} accepted, ${String(left)} left`]),
    ],
    `1 of ${AT_ONCE}, $50.00 left`,
  );
}

async function lastUnit(ground: Ground): Promise<Outcome> {
  const { send, admin, victim } = ground;
  if (admin === null) {
    return NO_ADMIN;
  }
  const barcode1 = `L-${randomUUID().slice(0, 8)}`;
  const item = { consignorID: victim.uid, itemName: "Last one", barcode1, quantity: 1 };
  const added = await done(send("POST /api/inventory/consignor", { as: admin, body: item }));
  const body = {
    consignorID: victim.uid,
    itemUID: textIn(added, "id"),
    barcode1,
    salePrice: 1,
    quantitySold: 1,
    consignorPercentage: 50,
  };
  const sold = accepted(await atOnce(() => send("POST /api/sales/record", { as: admin, body })));
  return judge(
    sold.length === 1 ? [] : [`it was sold ${sold.length} times`],
    `sold once in ${AT_ONCE} tries`,
  );
}

async function acceptAndCancel(ground: Ground): Promise<Outcome> {
  const { send, admin, newPerson } = ground;
  if (admin === null) {
    return NO_ADMIN;
  }
  const [buyer, seller] = [await paidPerson(ground, admin), await newPerson()];
  const itemBarcode = `T-${randomUUID().slice(0, 8)}`;
  const item = { consignorID: seller.uid, itemName: "Chair", barcode1: itemBarcode, quantity: 1 };
  await done(send("POST /api/inventory/consignor", { as: admin, body: item }));
  const shippingAddress = { name: "V", street: "1 A St", city: "Marfa", state: "TX", zip: "79843" };
  const body = { itemName: "Chair", itemBarcode, quantity: 1, pricePerItem: 500, shippingAddress };
  const asked = await done(send("POST /api/trades/request", { as: buyer, body }));
  const trade = textIn(asked, "tradeId");
  const replies = await atOnce((nth) =>
    nth % 2 === 0
      ? send(`POST /api/trades/offers/${offerIdOf(trade, 1)}/accept`, { as: seller, body: {} })
      : send(`POST /api/trades/${trade}/cancel`, { as: buyer, body: { reason: "race" } }),
  );
  const accepts = replies.filter(({ status }, nth) => nth % 2 === 0 && status === 200);
  const cancels = replies.filter(({ status }, nth) => nth % 2 === 1 && status === 200);
  const isWrong = accepts.length > 1 || cancels.length > 1 || accepts.length + cancels.length < 1;
  return judge(
    isWrong ? [`${accepts.length} accepted, ${cancels.length} cancelled`] : [],
    `${accepts.length} accepted, ${cancels.length} cancelled`,
  );
}

async function stolenKey(ground: Ground): Promise<Outcome> {
  const { send, attacker, victim, things } = ground;
  if (things === null) {
    return NO_ADMIN;
  }
  const headers = { "Idempotency-Key": things.payoutKey };
  const body = things.payoutBody;
  const tries: Readonly<Record<string, Reply>> = {
    "the victim's own call": await send(`POST /api/payouts/${victim.uid}/request`, {
      as: attacker,
      body,
      headers,
    }),
    "the same call for oneself": await send(`POST /api/payouts/${attacker.uid}/request`, {
      as: attacker,
      body,
      headers,
    }),
    "without a sign-in": await send(`POST /api/payouts/${victim.uid}/request`, { body, headers }),
  };
  const problems = Object.entries(tries).flatMap(([what, reply]) =>
    reply.status === 200 ||
    reply.headers["idempotency-replayed"] !== undefined ||
    reply.text.includes(things.payout)
      ? [`${what} was answered ${reply.status} ${reply.text.slice(0, 80)}`]
      : [],
  );
  return judge(problems, "the answer stays with its owner");
}

export const raceAttacks: readonly Attack[] = [
  { name: "the whole balance paid out twice at once", expected: "once", run: doublePayout },
  { name: "one key at once, then with another body", expected: "once; 422", run: sameKeyAtOnce },
  { name: "a payout paid and taken back at once", expected: "one of them", run: paidAndTakenBack },
  { name: "a paid payout returned many times at once", expected: "once", run: returnedTwice },
  { name: "the last unit sold twice at once", expected: "once", run: lastUnit },
  {
    name: "an offer accepted and its trade canceled at once",
    expected: "each at most once",
    run: acceptAndCancel,
  },
  { name: "somebody else's idempotency key", expected: "not their answer", run: stolenKey },
];
