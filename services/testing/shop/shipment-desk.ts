// Shipments over HTTP, for specs: submitted by consignors, marked and labelled by an admin.
import { expect } from "vitest";
import type { z } from "zod/mini";
import type {
  AdminShipmentsResponse,
  ShipmentChangedResponse,
  ShipmentsResponse,
} from "#features/shipments/contract.ts";
import {
  adminShipmentsResponse,
  shipmentChangedResponse,
  shipmentsResponse,
} from "#features/shipments/contract.ts";
import type { TestAnswer, TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

export type ShipmentDesk = {
  readonly shop: TestApp;
  readonly admin: TestPerson;
  /** A new one each time. */
  readonly consignor: () => Promise<TestPerson>;
  readonly send: (
    method: string,
    path: string,
    as: TestPerson,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TestAnswer>;
  readonly submit: (person: TestPerson, body?: unknown) => Promise<ShipmentChangedResponse>;
  readonly own: (person: TestPerson) => Promise<ShipmentsResponse>;
  readonly all: (query?: string) => Promise<AdminShipmentsResponse>;
  readonly mark: (id: string, body: unknown) => Promise<TestAnswer>;
  readonly upload: (id: string, text: string, trackingNumber?: string) => Promise<TestAnswer>;
  readonly download: (owner: TestPerson, id: string, as?: TestPerson) => Promise<Response>;
};

/** What a shipment with UPS says. */
export const ups = (trackingNumber = "1Z999AA10123456784") => ({ carrier: "UPS", trackingNumber });

/** The answer in its shape. */
export function given<Value>(schema: z.ZodMiniType<Value>, answer: TestAnswer): Value {
  expect(answer).toMatchObject({ status: 200 });
  return schema.parse(answer.body);
}

export async function openShipmentDesk(): Promise<ShipmentDesk> {
  const shop = await openTestApp();
  const admin = await shop.person("Admin", "admin");
  let made = 0;
  const send: ShipmentDesk["send"] = (method, path, as, body, headers = {}) =>
    shop.call(method, `/api${path}`, { as, headers, ...(body === undefined ? {} : { body }) });
  return {
    shop,
    admin,
    consignor: () => shop.person(`Consignor${(made += 1)}`),
    send,
    submit: async (person, body = ups()) =>
      given(shipmentChangedResponse, await send("POST", `/shipments/${person.uid}`, person, body)),
    own: async (person) =>
      given(shipmentsResponse, await send("GET", `/shipments/${person.uid}`, person)),
    all: async (query = "") =>
      given(adminShipmentsResponse, await send("GET", `/shipments/admin/all${query}`, admin)),
    mark: (id, body) => send("PATCH", `/shipments/admin/${id}/status`, admin, body),
    async upload(id, text, trackingNumber = "9400 1") {
      const form = new FormData();
      form.append("label", new File([Buffer.from(text, "latin1")], "label.pdf"));
      form.append("trackingNumber", trackingNumber);
      form.append("carrier", "USPS");
      const response = await shop.app.request(`http://app.test/api/shipments/admin/${id}/label`, {
        method: "POST",
        headers: { Authorization: `Bearer ${admin.token}` },
        body: form,
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    download: async (owner, id, as = owner) =>
      shop.app.request(`http://app.test/api/shipments/${owner.uid}/${id}/label`, {
        headers: { Authorization: `Bearer ${as.token}` },
      }),
  };
}
