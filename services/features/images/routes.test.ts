// Pictures of items over HTTP: found at the retailer, uploaded, shown, saved with an item, and forgotten where nobody saved them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { imageChecks } from "#features/images/checks.ts";
import { sweepImages } from "#http/stored-images.ts";
import type { TestAnswer, TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import {
  BY_NUMBER_ALONE,
  linkTo,
  type RetailerStandIn,
  startRetailer,
  WITH_PICTURE,
  WITHOUT_PICTURE,
} from "#testing/service/retailer-stand-in.ts";
import { jpegOf, pngOf } from "#testing/service/tiny-images.ts";
import { bookChecks } from "../../features.ts";

const HOUR_MS = 3_600_000;
let shop: TestApp;
let standIn: RetailerStandIn;
let admin: TestPerson;
let avery: TestPerson;

beforeAll(async () => {
  standIn = await startRetailer();
  shop = await openTestApp({ retailer: standIn.retailer });
  admin = await shop.person("Robin", "admin");
  avery = await shop.person("Avery");
});
beforeEach(async () => {
  standIn.asked.length = 0;
  standIn.mood = "kind";
  await shop.database.sql`delete from files.image_lookups`;
});
afterAll(async () => {
  await shop.close();
  await standIn.close();
});

const found = z.object({ imageUrl: z.string().nullable(), asin: z.string().nullable() });

async function find(link: string) {
  const answer = await shop.call("POST", "/api/images/find", { as: admin, body: { link } });
  return found.parse(answer.body);
}

async function load(path: string): Promise<Response> {
  return shop.app.request(`http://app.test${path}`);
}

async function upload(fields: Readonly<Record<string, File | string>>): Promise<TestAnswer> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    body.set(name, value);
  }
  const headers = { Authorization: `Bearer ${admin.token}` };
  const request = { method: "POST", headers, body };
  const answer = await shop.app.request("http://app.test/api/images", request);
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

const fileOf = (bytes: Uint8Array<ArrayBuffer>): File => new File([bytes], "any.name");

async function uploaded(): Promise<string> {
  const { body } = await upload({ photo: fileOf(pngOf(40, 30)), thumbnail: fileOf(pngOf(8, 6)) });
  return z.object({ imageUrl: z.string() }).parse(body).imageUrl;
}

let made = 0;
async function newItem(given: object): Promise<string> {
  const body = { itemName: "Lamp", barcode1: `image-${(made += 1)}`, quantity: 1, ...given };
  const owner = { consignorID: avery.uid };
  const path = "/api/inventory/consignor";
  const answer = await shop.call("POST", path, { as: admin, body: { ...owner, ...body } });
  expect(answer.body).toMatchObject({ id: expect.any(String) });
  return z.object({ id: z.string() }).parse(answer.body).id;
}

describe("the picture of a link", () => {
  it("comes from the product's page, is our own copy, and is asked for once", async () => {
    const first = await find(linkTo(WITH_PICTURE));
    expect(first).toMatchObject({
      imageUrl: expect.stringMatching(/^\/api\/images\/[0-9a-f-]{36}$/u),
      asin: WITH_PICTURE,
    });
    // Nothing of the link but the product.
    expect(standIn.asked).toEqual([
      `www.amazon.com /dp/${WITH_PICTURE}`,
      `m.media-amazon.com /images/I/${WITH_PICTURE}._AC_SL1500_.jpg`,
      `m.media-amazon.com /images/I/${WITH_PICTURE}._SL160_.jpg`,
    ]);
    expect(await find(linkTo(WITH_PICTURE))).toEqual(first);
    expect(standIn.asked).toHaveLength(3);
    const [full, thumbnail] = await Promise.all([
      load(first.imageUrl ?? ""),
      load(`${first.imageUrl}/thumbnail`),
    ]);
    expect(
      Number(full.headers.get("Content-Length") ?? (await full.arrayBuffer()).byteLength),
    ).toBeGreaterThan((await thumbnail.arrayBuffer()).byteLength);
  });

  it("comes from the retailer's picture by number if the page tells nothing", async () => {
    for (const mood of ["kind", "busy", "robots"] as const) {
      standIn.mood = mood;
      await shop.database.sql`delete from files.image_lookups`;
      const { imageUrl } = await find(linkTo(BY_NUMBER_ALONE));
      expect((await load(imageUrl ?? "")).headers.get("Content-Type")).toBe("image/png");
    }
  });

  it("is nothing if there is only a single pixel, and is not asked for again within the hour", async () => {
    const nothing = { imageUrl: null, asin: WITHOUT_PICTURE };
    expect(await find(linkTo(WITHOUT_PICTURE))).toEqual(nothing);
    const { length } = standIn.asked;
    expect(await find(linkTo(WITHOUT_PICTURE))).toEqual(nothing);
    expect(standIn.asked).toHaveLength(length);
    const hourAgo = new Date(shop.deps.clock().getTime() - HOUR_MS);
    await shop.database.sql`
      update files.image_lookups set expires_at = expires_at - interval '1 hour' where expires_at > ${hourAgo}`;
    expect(await find(linkTo(WITHOUT_PICTURE))).toEqual(nothing);
    expect(standIn.asked).toHaveLength(2 * length);
  });

  it("is nothing for links of other shops, which nobody calls", async () => {
    for (const link of [
      "",
      "lamp",
      "https://shop.example/dp/B0PICTURE1",
      "http://127.0.0.1/dp/B0PICTURE1",
    ]) {
      expect(await find(link)).toEqual({ imageUrl: null, asin: null });
    }
    expect(standIn.asked).toEqual([]);
  });

  it("is searched for once when two ask at once, and not too often", async () => {
    const both = await Promise.all([find(linkTo(WITH_PICTURE)), find(linkTo(WITH_PICTURE))]);
    expect(both[0]).toEqual(both[1]);
    expect(standIn.asked).toHaveLength(3);
    const eager = await shop.person("Eager", "admin");
    const body = { link: linkTo(WITH_PICTURE) };
    const ask = () => shop.call("POST", "/api/images/find", { as: eager, body });
    const answers = await Promise.all(Array.from({ length: 61 }, ask));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});

describe("an uploaded photo", () => {
  it("is shown to whoever knows its address, forever the same, and never runs", async () => {
    const address = await uploaded();
    for (const path of [address, `${address}/thumbnail`]) {
      const { status, headers } = await load(path);
      expect(status).toBe(200);
      expect(headers.get("Content-Type")).toBe("image/png");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Content-Disposition")).toBe('attachment; filename="item.png"');
      expect(headers.get("Content-Security-Policy")).toBe("sandbox; default-src 'none'");
      expect(headers.get("Cache-Control")).toBe("private, max-age=31536000, immutable");
      expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
    }
    expect((await load("/api/images/00000000-0000-4000-8000-000000000000")).status).toBe(404);
  });

  it("that was shown lately is not read again", async () => {
    const address = await uploaded();
    const before = await (await load(address)).arrayBuffer();
    await shop.database.sql`delete from files.images where id = ${address.split("/").at(-1) ?? ""}`;
    const again = await load(address);
    expect(again.status).toBe(200);
    expect(await again.arrayBuffer()).toEqual(before);
    expect((await load(`${address}/thumbnail`)).status).toBe(404);
  });

  it.each([
    ["HTML", fileOf(new Uint8Array(Buffer.from("<script>alert(1)</script>")))],
    ["SVG", fileOf(new Uint8Array(Buffer.from("<svg onload='alert(1)'/>")))],
    ["nothing", fileOf(new Uint8Array())],
    ["a single pixel", fileOf(pngOf(1, 1))],
    ["a picture that is too wide", fileOf(pngOf(4_001, 10))],
  ])("that is %s is refused", async (_what, photo) => {
    expect((await upload({ photo })).status).toBe(400);
    expect((await upload({ photo: fileOf(jpegOf(9, 9)), thumbnail: photo })).status).toBe(400);
  });

  it("that no item got within a day is deleted; one that an item ever had stays", async () => {
    const [left, saved, replaced] = await Promise.all([uploaded(), uploaded(), uploaded()]);
    const id = await newItem({ imageUrl: replaced });
    const body = { consignorUID: avery.uid, itemUID: id, imageUrl: saved };
    const changed = await shop.call("POST", "/api/admin/update-item-image", { as: admin, body });
    expect(changed.body).toEqual({ message: "Image updated successfully", version: 2 });
    const nextDay = new Date(shop.deps.clock().getTime() + 25 * HOUR_MS);
    expect(await sweepImages(shop.database.sql, nextDay)).toBeGreaterThan(0);
    expect((await load(left)).status).toBe(404);
    expect((await load(saved)).status).toBe(200);
    expect((await load(replaced)).status).toBe(200);
    const late = { consignorUID: avery.uid, itemUID: id, imageUrl: left };
    const refused = await shop.call("POST", "/api/admin/update-item-image", {
      as: admin,
      body: late,
    });
    expect(refused).toMatchObject({ status: 400, body: { error: "image_not_found" } });
  });
});

describe("verify", () => {
  const found = async () => {
    await shop.runner.catchUp();
    const problems = await Promise.all(
      imageChecks.map((check) =>
        shop.database.sql.unsafe<{ message: string }[]>("sql" in check ? check.sql : ""),
      ),
    );
    return problems.flat().map(({ message }) => message);
  };

  it("finds a picture that was exchanged under its id, and one that is gone", async () => {
    const { sql } = shop.database;
    const address = await uploaded();
    const id = address.split("/").at(-1) ?? "";
    const itemId = await newItem({ imageUrl: address });
    const whole = await shop.call("POST", "/api/images/find", {
      as: admin,
      body: { link: linkTo(WITH_PICTURE) },
    });
    expect(whole.status).toBe(200);
    expect(bookChecks).toEqual(expect.arrayContaining([...imageChecks]));
    expect(await found()).toEqual([]);

    const [own] = await sql<{ image: Buffer; salt: string }[]>`
      select image, salt from files.images where id = ${id}`;
    const other = Buffer.from(pngOf(41, 30));
    // What the application's role can do: it may not change a picture, but it may delete it and write another one.
    const exchange = async (image: Buffer, thumbnail: Buffer, salt: string | null) => {
      await sql`delete from files.images where id = ${id}`;
      await sql`
        insert into files.images
          (id, salt, media_type, image, thumbnail_type, thumbnail, stored_at, kept_at)
        values (${id}, ${salt}, 'image/png', ${image}, 'image/png', ${thumbnail}, now(), now())`;
    };
    const exchanged = [`files.images, row ${id}: is not the picture that was stored under this id`];
    const small = Buffer.from(pngOf(8, 6));
    await exchange(other, small, own?.salt ?? null);
    expect(await found()).toEqual(exchanged);
    await exchange(other, small, null);
    expect(await found(), "also without what the id was made with").toEqual(exchanged);
    await exchange(own?.image ?? other, Buffer.from(pngOf(9, 6)), own?.salt ?? null);
    expect(await found(), "also the small one alone").toEqual(exchanged);
    await sql`delete from files.images where id = ${id}`;
    expect(await found()).toEqual([`files.images has no row ${id}, which item ${itemId} shows`]);
    await exchange(own?.image ?? other, small, own?.salt ?? null);
    expect(await found()).toEqual([]);
  });
});

describe("the picture of an item", () => {
  it("changes by an edit that the item's history tells, once for each key", async () => {
    const [itemUID, imageUrl] = [await newItem({}), await uploaded()];
    const change = (address: string, key: string) =>
      shop.call("POST", "/api/admin/update-item-image", {
        as: admin,
        body: { consignorUID: avery.uid, itemUID, imageUrl: address },
        headers: { "Idempotency-Key": key },
      });
    expect((await change(imageUrl, "one")).body).toMatchObject({ version: 2 });
    expect((await change(imageUrl, "one")).body).toMatchObject({ version: 2 });
    expect((await change("", "two")).body).toMatchObject({ version: 3 });
    await shop.runner.catchUp();
    const timeline = await shop.call("GET", `/api/inventory/items/${itemUID}/timeline`, {
      as: admin,
    });
    const { lines } = z
      .object({ lines: z.array(z.object({ title: z.string(), notes: z.array(z.string()) })) })
      .parse(timeline.body);
    expect(lines.map(({ title, notes }) => [title, ...notes])).toEqual([
      ["Edited", "Picture removed"],
      ["Edited", "Picture added"],
      ["Added"],
    ]);
  });

  it.each([
    ["an unknown item", { itemUID: "00000000-0000-4000-8000-000000000000" }, 404],
    ["an unknown consignor", { consignorUID: "nobody-nobody-nobody-nobody" }, 404],
    ["another owner", { consignorUID: null }, 404],
    ["a script as address", { imageUrl: "javascript:alert(1)" }, 400],
    ["another file of the store", { imageUrl: "/api/settings/logo/1" }, 400],
  ])("is refused for %s", async (_what, given, status) => {
    const itemUID = await newItem({});
    const body = { consignorUID: avery.uid, itemUID, imageUrl: "https://shop.example/1.jpg" };
    const answer = await shop.call("POST", "/api/admin/update-item-image", {
      as: admin,
      body: { ...body, ...given },
    });
    expect(answer.status).toBe(status);
  });

  it("is missing for items that are listed with what is known of their product", async () => {
    const linked = await newItem({ link: linkTo(WITH_PICTURE) });
    const numbered = await newItem({ asin: BY_NUMBER_ALONE });
    await newItem({ link: "https://shop.example/dp/B0PICTURE1" });
    await newItem({ link: linkTo(WITH_PICTURE), imageUrl: "https://m.media-amazon.com/x.jpg" });
    await shop.runner.catchUp();
    const answer = await shop.call("GET", "/api/admin/items-missing-images", { as: admin });
    const { items, debug } = z
      .object({
        items: z.array(z.object({ itemUID: z.string(), consignorUID: z.string().nullable() })),
        debug: z.record(z.string(), z.unknown()),
      })
      .parse(answer.body);
    expect(items).toEqual([
      { itemUID: numbered, consignorUID: avery.uid },
      { itemUID: linked, consignorUID: avery.uid },
    ]);
    expect(debug).toMatchObject({ searchable: 2, capped: false });
  });
});
