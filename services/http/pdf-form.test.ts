// A form with a PDF: refused ones change nothing and get a reason; accepted ones come back as a file that cannot run.
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { signedIn } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import type { AppEnv } from "#http/env.ts";
import { answerPdf } from "#http/file.ts";
import { MAX_PDF_BYTES } from "#http/pdf-check.ts";
import { pdfForm } from "#http/pdf-form.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

const form = z.strictObject({
  label: z.file("Please select a label file"),
  trackingNumber: z.string("Please enter a tracking number"),
});

let shop: TestApp;
let admin: TestPerson;
/** The forms that reached the route, newest last. */
const taken: unknown[] = [];

function routes(deps: RouteDeps): Hono<AppEnv> {
  return new Hono<AppEnv>().post("/labels", signedIn, pdfForm(deps, form), async (c) => {
    const { label, trackingNumber } = c.req.valid("form");
    taken.push({ trackingNumber, hashed: c.get("sentBody") });
    return answerPdf(c, "label.pdf", new Uint8Array(await label.arrayBuffer()));
  });
}

beforeAll(async () => {
  shop = await openTestApp({ routes: [routes], projections: [] });
  admin = await shop.person("Boss", "admin");
});

afterAll(() => shop.close());

async function upload(
  fields: Readonly<Record<string, string | File>>,
  as: TestPerson = admin,
): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    body.append(name, value);
  }
  return post(body, {}, as);
}

async function post(
  body: BodyInit,
  headers: Record<string, string> = {},
  as: TestPerson = admin,
): Promise<Response> {
  // Needed for streamed bodies, but missing in the types of RequestInit.
  const streamed = { duplex: "half" };
  return shop.app.request("http://app.test/api/labels", {
    method: "POST",
    headers: { Authorization: `Bearer ${as.token}`, ...headers },
    body,
    ...streamed,
  });
}

const file = (text: string, name = "label.pdf") =>
  new File([Buffer.from(text, "latin1")], name, { type: "application/pdf" });

async function refusal(response: Response): Promise<unknown> {
  return { status: response.status, ...Object(await response.json()) };
}

describe("accepted", () => {
  it("a PDF comes back unchanged, as an attachment that cannot run on the app's origin", async () => {
    const response = await upload({ label: file(labelPdf()), trackingNumber: "9400" });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": 'attachment; filename="label.pdf"',
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    expect(Buffer.from(await response.arrayBuffer()).toString("latin1")).toBe(labelPdf());
    expect(taken.at(-1)).toEqual({
      trackingNumber: "9400",
      hashed: {
        trackingNumber: "9400",
        label: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/u) },
      },
    });
  });
});

it("a PDF of 2 MB is taken with its length announced, as browsers do; one above 10 MB is refused by it", async () => {
  const form = new FormData();
  form.append("label", file(labelPdf(" ".repeat(2 * 1_048_576))));
  form.append("trackingNumber", "9400");
  const sent = new Response(form);
  const type = sent.headers.get("content-type") ?? "";
  const body = new Uint8Array(await sent.arrayBuffer());
  const headers = (length: number) => ({ "content-type": type, "content-length": String(length) });
  expect((await post(body, headers(body.byteLength))).status).toBe(200);
  const refused = await post(body, headers(11 * 1_048_576));
  expect(await refusal(refused)).toMatchObject({ status: 413, error: "file_too_large" });
});

describe("refused", () => {
  const tooMuch = " ".repeat(MAX_PDF_BYTES + 1_048_576);

  it.each([
    ["a renamed web page", "<script>alert(1)</script>", 400, "not_a_pdf"],
    ["an empty file", "", 400, "empty_file"],
    ["an 11 MB file", labelPdf(tooMuch), 413, "file_too_large"],
    ["a PDF with a script", labelPdf("4 0 obj\n<< /JS (x) >>\nendobj"), 400, "pdf_with_actions"],
  ])("%s", async (_what, text, status, error) => {
    const before = taken.length;
    const response = await upload({ label: file(text), trackingNumber: "9400" });
    expect(await refusal(response)).toMatchObject({ status, error });
    expect(taken).toHaveLength(before);
  });

  it("a form without the file, without a field, with an unknown field, or with one twice", async () => {
    const label = file(labelPdf());
    expect(await refusal(await upload({ trackingNumber: "9400" }))).toMatchObject({
      status: 400,
      message: "Please select a label file",
    });
    expect(await refusal(await upload({ label: "text", trackingNumber: "9" }))).toMatchObject({
      message: "Please select a label file",
    });
    expect(await refusal(await upload({ label }))).toMatchObject({
      message: "Please enter a tracking number",
    });
    expect(
      await refusal(await upload({ label, trackingNumber: "9", role: "admin" })),
    ).toMatchObject({ status: 400, error: "validation_failed" });
    const twice = new FormData();
    twice.append("trackingNumber", "1");
    twice.append("trackingNumber", "2");
    expect(await refusal(await post(twice))).toMatchObject({
      status: 400,
      error: "repeated_field",
    });
  });

  it("a body that is not a form, or pretends to be one", async () => {
    const json = { "Content-Type": "application/json" };
    expect(await refusal(await post("{}", json))).toMatchObject({ error: "not_multipart" });
    const broken = { "Content-Type": "multipart/form-data; boundary=x" };
    expect(await refusal(await post("--y\r\nnothing", broken))).toMatchObject({
      status: 400,
      error: "malformed_form",
    });
    for (const type of ["multipart/form-data; nothing", "multipart/form-data\t; boundary="]) {
      const unbounded = { "Content-Type": type };
      expect(await refusal(await post("x", unbounded))).toMatchObject({ error: "malformed_form" });
    }
  });

  it.each([
    "multipart/form-data; boundary=b",
    'multipart/form-data; a="; boundary=other"; boundary="\\b"',
  ])("a hundred thousand parts, before they are parsed: %s", async (type) => {
    const part = (name: number) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n\r\n`;
    const body = `${Array.from({ length: 100_000 }, (_, name) => part(name)).join("")}--b--\r\n`;
    expect(await refusal(await post(body, { "Content-Type": type }))).toMatchObject({
      status: 400,
      error: "too_many_fields",
    });
  });

  it.each([
    "multipart/form-data; boundary=a, multipart/form-data; boundary=b",
    "multipart/form-data; boundary=a, application/x-www-form-urlencoded",
  ])(
    "a list of types, of which the parser would take another than was checked: %s",
    async (type) => {
      const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
      const body = type.endsWith("b") ? `${part.repeat(1_000)}--b--\r\n` : "&a".repeat(1_000);
      expect(await refusal(await post(body, { "Content-Type": type }))).toMatchObject({
        status: 400,
        error: "malformed_form",
      });
    },
  );

  it("a stream without an announced length, as soon as it is too long", async () => {
    const chunk = Buffer.alloc(1_048_576);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(chunk);
      },
    });
    const type = { "Content-Type": "multipart/form-data; boundary=x" };
    expect(await refusal(await post(endless, type))).toMatchObject({ status: 413 });
    expect(sent).toBeLessThan(14);
  });

  it("the 31st upload within an hour by somebody who is not an admin", async () => {
    const avery = await shop.person("Avery");
    for (let count = 0; count < 30; count += 1) {
      expect((await upload({}, avery)).status).toBe(400);
    }
    expect((await upload({}, avery)).status).toBe(429);
    expect((await upload({}, admin)).status).toBe(400);
  });
});
