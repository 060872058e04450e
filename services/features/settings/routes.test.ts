// The settings over HTTP: what admins change counts from then on, and everybody sees only what is theirs to see.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SettingsResponse } from "#features/settings/contract.ts";
import { timeZonesResponse } from "#features/settings/contract-days.ts";
import { isTimeZone } from "#http/time-zones.ts";
import { verificationLetter } from "#identity/letters.ts";
import { jpegOf, jpegSegment, pngOf } from "#testing/service/tiny-images.ts";
import type { TestAnswer, TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;
let admin: TestPerson;
let other: TestPerson;
let avery: TestPerson;

beforeAll(async () => {
  shop = await openTestApp({ fixedTimeZone: null });
  admin = await shop.person("Robin", "admin");
  other = await shop.person("Sam", "admin");
  avery = await shop.person("Avery");
});

afterAll(() => shop.close());

const RATES = {
  taxRateBasisPoints: 900,
  defaultConsignorPercentage: 55,
  tradeCommissionPercentage: 12,
  tradeShippingFee: 4.5,
};
const DETAILS = {
  storeName: "Harbor Resale",
  returnPolicy: "Returns within 14 days.\nBring the receipt.",
  chatLink: "https://chat.test/harbor",
  venmoName: "@harbor-resale",
  shippingAddress: {
    name: "Harbor Resale",
    street: "12 Pier Road",
    city: "Duluth",
    state: "MN",
    zip: "55802",
    country: "",
  },
};

const get = (path: string, as?: TestPerson) =>
  shop.call("GET", `/api/settings${path}`, as === undefined ? {} : { as });
const put = (
  path: string,
  body: object,
  as: TestPerson = admin,
  headers: Record<string, string> = {},
) => shop.call("PUT", `/api/settings/${path}`, { as, body, headers });

async function settings(): Promise<SettingsResponse> {
  // The test is about this very shape.
  return (await get("", admin)).body as SettingsResponse;
}

describe("a store that nobody set up", () => {
  it("has the rates of the specification, no name, and UTC", async () => {
    expect(await settings()).toMatchObject({
      rates: {
        taxRateBasisPoints: 825,
        defaultConsignorPercentage: 50,
        tradeCommissionPercentage: 10,
        tradeShippingFee: 4,
        version: 0,
      },
      details: { storeName: "", shippingAddress: { street: "" }, version: 0 },
      logo: { address: null },
      timeZone: { name: "UTC", fixed: false, version: 0 },
      changes: [],
    });
    expect((await get("/public")).body).toEqual({
      storeName: null,
      logo: null,
      chatLink: null,
      defaultConsignorPercentage: 50,
    });
  });
});

describe("changing", () => {
  it("rates counts from then on, and the history says who, when, and what was before", async () => {
    const answer = await put("rates", { ...RATES, expectedVersion: 0 });
    expect(answer).toMatchObject({ status: 200, body: { message: "Rates saved", version: 1 } });
    const { rates, changes } = await settings();
    expect(rates).toEqual({ ...RATES, version: 1 });
    expect(changes).toMatchObject([
      {
        section: "rates",
        actor: { displayName: "Robin" },
        happenedAt: "2026-11-21T10:00:00.000Z",
        lines: [
          { what: "Tax rate", before: "8.25%", after: "9%" },
          { what: "Default consignor share", before: "50%", after: "55%" },
          { what: "Trade commission", before: "10%", after: "12%" },
          { what: "Trade shipping fee", before: "$4.00", after: "$4.50" },
        ],
      },
    ]);
    expect((await get("/selling", admin)).body).toMatchObject(RATES);
  });

  it("details keeps every version, shows what is public to everybody, and the rest to admins", async () => {
    expect(await put("details", { ...DETAILS, expectedVersion: 0 })).toMatchObject({ status: 200 });
    const renamed = { ...DETAILS, storeName: "Harbor & Co", chatLink: "" };
    expect(await put("details", renamed)).toMatchObject({ status: 200, body: { version: 2 } });
    const { details, changes } = await settings();
    expect(details).toEqual({ ...renamed, venmoName: "harbor-resale", version: 2 });
    expect(changes[0]).toMatchObject({
      section: "details",
      lines: [
        { what: "Store name", before: "Harbor Resale", after: "Harbor & Co" },
        { what: "Community chat link", before: "https://chat.test/harbor", after: null },
      ],
    });
    expect(changes[1]?.lines).toContainEqual({
      what: "Shipping address",
      before: null,
      after: "Harbor Resale, 12 Pier Road, Duluth, MN 55802",
    });
    expect((await get("/public")).body).toEqual({
      storeName: "Harbor & Co",
      logo: null,
      chatLink: null,
      defaultConsignorPercentage: 55,
    });
    expect((await get("/selling", admin)).body).toMatchObject({
      receipt: {
        storeName: "Harbor & Co",
        addressLines: ["12 Pier Road", "Duluth, MN 55802"],
        returnPolicy: DETAILS.returnPolicy,
      },
    });
    const payment = await shop.call("GET", `/api/payouts/${avery.uid}/payment-info`, { as: avery });
    expect(payment.body).toMatchObject({ storeVenmoName: "harbor-resale" });
    await put("details", DETAILS);
  });

  it("without a change, there is no event", async () => {
    const before = await settings();
    await put("rates", RATES);
    await put("details", DETAILS);
    expect(await settings()).toEqual(before);
  });

  it("the time zone moves the store's days, and takes only names that can count days", async () => {
    expect(await put("time-zone", { timeZone: "Mars/Olympus" })).toMatchObject({
      status: 400,
      body: { error: "unknown_time_zone" },
    });
    const onlyNode = "Canada/East-Saskatchewan";
    expect(isTimeZone(onlyNode)).toBe(true);
    expect(await put("time-zone", { timeZone: onlyNode })).toMatchObject({
      status: 400,
      body: {
        error: "unknown_time_zone",
        message: "The database does not know this time zone. Choose another name of it",
      },
    });
    const zone = { timeZone: "America/Denver", expectedVersion: 0 };
    expect(await put("time-zone", zone)).toMatchObject({ status: 200 });
    expect((await settings()).timeZone).toEqual({
      name: "America/Denver",
      fixed: false,
      version: 1,
    });
    expect(await shop.deps.store.timeZone()).toBe("America/Denver");
  });

  it("the time zones to choose from have their newer names too, and both Node.js and PostgreSQL know them", async () => {
    const { timeZones } = timeZonesResponse.parse(
      (await shop.call("GET", "/api/settings/time-zones", { as: admin })).body,
    );
    expect(timeZones).toEqual(
      expect.arrayContaining(["America/Chicago", "Asia/Calcutta", "Asia/Kolkata", "UTC"]),
    );
    expect(timeZones).not.toContain("US/Central");
    expect(timeZones.filter((name) => !isTimeZone(name))).toEqual([]);
    expect(timeZones).toEqual(timeZones.toSorted());
  });

  it("the same request again under its key gives the first answer", async () => {
    const keyed = { "Idempotency-Key": "chat" };
    const details = { ...DETAILS, chatLink: "https://chat.test/other" };
    const first = await put("details", details, admin, keyed);
    const again = await put("details", details, admin, keyed);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
  });

  it("of two admins at once, one gets it and the other is told to look again", async () => {
    const { version } = (await settings()).rates;
    const answers = await Promise.all(
      [admin, other].map((as, index) =>
        put("rates", { ...RATES, taxRateBasisPoints: 700 + index, expectedVersion: version }, as),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      error: "settings_changed",
      current: { version: version + 1 },
    });
  });

  it.each([
    ["rates", { ...RATES, taxRateBasisPoints: 8.25 }, "taxRateBasisPoints"],
    ["rates", { ...RATES, taxRateBasisPoints: 2_501 }, "taxRateBasisPoints"],
    ["rates", { ...RATES, tradeCommissionPercentage: 101 }, "tradeCommissionPercentage"],
    ["rates", { ...RATES, tradeShippingFee: 1.005 }, "tradeShippingFee"],
    ["details", { ...DETAILS, storeName: "two\nlines" }, "storeName"],
    ["details", { ...DETAILS, chatLink: "javascript:alert(1)" }, "chatLink"],
    ["details", { ...DETAILS, chatLink: "http://chat.test" }, "chatLink"],
    ["details", { ...DETAILS, chatLink: "https://chat.test@elsewhere.test/" }, "chatLink"],
    ["details", { ...DETAILS, venmoName: "a b" }, "venmoName"],
    [
      "details",
      { ...DETAILS, shippingAddress: { ...DETAILS.shippingAddress, city: "" } },
      "shippingAddress.street",
    ],
  ])("%s that make no sense are refused at their field", async (path, body, field) => {
    expect(await put(path, body)).toMatchObject({
      status: 400,
      body: { error: "validation_failed", details: [{ path: field }] },
    });
  });
});

describe("a time zone that the environment fixes", () => {
  it("cannot be changed, and the settings say so", async () => {
    await using fixed = await openFixed();
    const boss = await fixed.app.person("Boss", "admin");
    const body = { timeZone: "America/Denver" };
    const answer = await fixed.app.call("PUT", "/api/settings/time-zone", { as: boss, body });
    expect(answer).toMatchObject({ status: 409, body: { error: "time_zone_fixed" } });
    expect((await fixed.app.call("GET", "/api/settings", { as: boss })).body).toMatchObject({
      timeZone: { name: "America/Chicago", fixed: true },
    });
  });
});

async function openFixed() {
  const app = await openTestApp({ projections: [] });
  return { app, [Symbol.asyncDispose]: () => app.close() };
}

describe("the logo", () => {
  async function upload(file: Uint8Array<ArrayBuffer>, name = "logo.png"): Promise<TestAnswer> {
    const form = new FormData();
    form.append("file", new File([file], name));
    const response = await shop.app.request("http://app.test/api/settings/logo", {
      method: "PUT",
      headers: { Authorization: `Bearer ${admin.token}` },
      body: form,
    });
    const body: unknown = await response.json();
    return { status: response.status, headers: response.headers, body };
  }

  it("is shown to everybody as the image that it is, until it is removed", async () => {
    const image = pngOf(40, 30);
    expect(await upload(image, "page.html")).toMatchObject({ status: 200, body: { version: 1 } });
    const { logo } = (await get("/public")).body as { logo: string };
    const shown = await shop.app.request(`http://app.test${logo}`);
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(image);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect(await shop.call("DELETE", "/api/settings/logo", { as: admin })).toMatchObject({
      status: 200,
      body: { message: "Logo removed", version: 2 },
    });
    expect((await get("/public")).body).toMatchObject({ logo: null });
    const [removed, added] = (await settings()).changes;
    expect(removed?.lines).toEqual([{ what: "Logo", before: "an image", after: null }]);
    expect(added?.lines).toEqual([{ what: "Logo", before: null, after: "an image" }]);
  });

  it("is stored without where and with what it was made", async () => {
    const clean = Buffer.from(jpegOf(9, 9));
    const exif = jpegSegment(0xe1, Buffer.from("Exif\0\0GPS 44.9537"));
    const taken = new Uint8Array(Buffer.concat([clean.subarray(0, 2), exif, clean.subarray(2)]));
    expect(await upload(taken, "logo.jpg")).toMatchObject({ status: 200 });
    const { logo } = (await get("/public")).body as { logo: string };
    const shown = await shop.app.request(`http://app.test${logo}`);
    expect(Buffer.from(await shown.arrayBuffer()).toString("latin1")).not.toContain("GPS");
    await shop.call("DELETE", "/api/settings/logo", { as: admin });
  });

  it("is refused where it is not an image, or larger than 1 MB", async () => {
    const page = new Uint8Array(Buffer.from("<svg onload='alert(1)'/>"));
    expect(await upload(page)).toMatchObject({ status: 400, body: { error: "not_an_image" } });
    const huge = new Uint8Array(1_048_577);
    expect(await upload(huge)).toMatchObject({
      status: 413,
      body: { error: "file_too_large", message: "A logo is at most 1 MB" },
    });
  });
});

describe("an agreed share", () => {
  const agree = (percentage: number | null, uid = avery.uid) =>
    put(`consignors/${uid}/share`, { percentage });

  it("prefills what is sold for this consignor, and stands in the history of changes", async () => {
    expect(await agree(60)).toMatchObject({ status: 200, body: { percentage: 60 } });
    expect((await get("/selling", admin)).body).toMatchObject({
      agreedShares: [{ uid: avery.uid, percentage: 60 }],
    });
    const history = await shop.call("GET", `/api/auth/users/${avery.uid}/changes`, { as: admin });
    expect(history.body).toMatchObject({
      changes: [
        { kind: "agreed-share", description: "Consignor share: the store's default to 60%" },
      ],
    });
    await agree(null);
    expect((await get("/selling", admin)).body).toMatchObject({ agreedShares: [] });
  });

  it("is of a consignor there is, and a whole percentage", async () => {
    expect(await agree(60, "nobody-nobody-nobody")).toMatchObject({
      status: 404,
      body: { error: "consignor_not_found" },
    });
    expect((await agree(12.5)).status).toBe(400);
  });
});

it("a statement at a position says what the store was called and its time zone then, whatever changes later", async () => {
  const path = `/api/accounts/${avery.uid}/statement?from=2026-11-01&to=2026-11-30`;
  const statement = async (position?: number) =>
    (
      await shop.call("GET", position === undefined ? path : `${path}&position=${position}`, {
        as: admin,
      })
    ).body as { position: number; storeName: string; timeZone: string };
  const before = await statement();
  expect(before).toMatchObject({ storeName: "Harbor Resale", timeZone: "America/Denver" });
  await put("details", { ...DETAILS, storeName: "Pier 12" });
  await put("time-zone", { timeZone: "Europe/Berlin" });
  expect(await statement()).toMatchObject({ storeName: "Pier 12", timeZone: "Europe/Berlin" });
  expect(await statement(before.position)).toEqual(before);
  await put("details", DETAILS);
});

it("letters name the store", async () => {
  const sender = { storeName: await shop.deps.store.name(), appUrl: "http://app.test" };
  expect(verificationLetter("a@people.test", sender, "token").subject).toBe(
    "Verify your email for Harbor Resale",
  );
});
