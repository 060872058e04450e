// One request of a call that can be rehearsed, and how it is sent.
import type { TestAnswer, TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";

export type RehearsedCall = {
  /** "PUT /api/sales/:id" */
  readonly call: string;
  readonly as: TestPerson;
  readonly path: string;
  readonly body?: object;
  readonly form?: Readonly<Record<string, string | File>>;
};

/** Sends it; as a rehearsal with `rehearses`. */
export async function sendCall(
  { shop }: TradeShop,
  { call, as, path, body, form }: RehearsedCall,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  const [method = ""] = call.split(" ");
  if (form === undefined) {
    return shop.call(method, path, { as, body, headers });
  }
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) {
    data.set(name, value);
  }
  const init = { method, headers: { Authorization: `Bearer ${as.token}`, ...headers }, body: data };
  const response = await shop.app.request(`http://app.test${path}`, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Sends it before the test. Returns the id of what it made. Throws if the store does not do it. */
export async function given(store: TradeShop, call: RehearsedCall): Promise<string> {
  const answer = await sendCall(store, call);
  if (answer.status !== 200) {
    throw new Error(`${call.call} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  const body = Object(answer.body) as Record<string, unknown>;
  const made = ["id", "saleID", "payoutId", "remittanceID"]
    .map((name) => body[name])
    .find((id) => typeof id === "string");
  return typeof made === "string" ? made : "";
}
