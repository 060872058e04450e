// The verdicts about signed statements: genuine, changed, rewritten log, retired key, foreign key, unsigned, unreadable.
import { CompactSign, exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  checkFile,
  statementKeysResponse,
  verifyStatementResponse,
} from "#features/accounts/contract-statement-proof.ts";
import { holdPayouts, releasePayouts } from "#features/holds/decider.ts";
import { verdictOf, wordsOf, type Verdict } from "#features/accounts/contract-statement-verdict.ts";
import {
  type ItemOwner,
  openSaleShop,
  type SaleShop,
  saleIdOf,
  saleOf,
} from "#testing/shop/sale-shop.ts";

let sales: SaleShop;
let owner: ItemOwner;
let saleId: string;
let csv: string;
let pdf: string;

const november = "from=2026-11-01&to=2026-11-30";

beforeAll(async () => {
  sales = await openSaleShop();
  owner = await sales.consignorWith(9);
  saleId = saleIdOf(await sales.record(saleOf(owner)));
  [csv, pdf] = [await fileAs("csv"), await fileAs("pdf")];
});

afterAll(() => sales.close());

/** The file as a string of its bytes. */
async function fileAs(format: "csv" | "pdf", period = november): Promise<string> {
  const answer = await sales.shop.app.request(
    `http://app.test/api/accounts/${owner.person.uid}/statement?${period}&format=${format}`,
    { headers: { Authorization: `Bearer ${owner.person.token}` } },
  );
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer()).toString("latin1");
}

async function readKeys() {
  const { body } = await sales.shop.call("GET", "/api/statements/jwks");
  return statementKeysResponse.parse(body).keys;
}

/** What anybody is told about a file, with the calls of the API. */
async function verdict(file: string): Promise<Verdict> {
  const bytes = Uint8Array.from(Buffer.from(file, "latin1"));
  return verdictOf(await checkFile(bytes, readKeys), async (jws) => {
    const { status, body } = await sales.shop.call("POST", "/api/statements/verify", {
      body: { jws },
    });
    expect(status).toBe(200);
    return verifyStatementResponse.parse(body);
  });
}

const jwsIn = (file: string): string => /eyJ[\w-]+\.[\w-]+\.[\w-]+/u.exec(file)?.[0] ?? "";

/** Puts another proof into a file. */
const withProof = (file: string, jws: string): string => file.replace(jwsIn(file), jws);

/** The same claims, signed by a store of somebody else. */
async function signedByOthers(jws: string, kid: string, claims: object = {}): Promise<string> {
  const { privateKey } = await generateKeyPair("ES256");
  const own: unknown = JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString());
  return new CompactSign(Buffer.from(JSON.stringify({ ...Object(own), ...claims })))
    .setProtectedHeader({ alg: "ES256", kid })
    .sign(privateKey);
}

const nothing = { count: 0, amount: 0 };

describe.each(["csv", "pdf"] as const)("a statement as %s", (format) => {
  const file = (): string => (format === "csv" ? csv : pdf);

  it("is genuine and unchanged as it was saved, and says whose it is", async () => {
    expect(await verdict(file())).toMatchObject({
      kind: "genuine",
      proof: {
        format,
        uid: owner.person.uid,
        from: "2026-11-01",
        to: "2026-11-30",
        closingCents: 1750,
        inTransitCents: 0,
      },
      later: { late: nothing, refunds: nothing, changes: nothing },
    });
  });

  it("with one changed cent, or with anything added or left out, is changed", async () => {
    const changedCent =
      format === "csv"
        ? file().replace("17.50", "17.51")
        : file().replace("/Type /Page\n", "/Type /Pagf\n");
    expect(changedCent).not.toBe(file());
    const others = [
      changedCent,
      `${file()}\n`,
      file().replace(/(?=,,,,Signature|%consignment)/u, "\n"),
      file().slice(0, -1),
    ];
    for (const other of others) {
      expect(await verdict(other)).toMatchObject({ kind: "changed" });
    }
  });

  it("with a changed claim has a signature that is not valid", async () => {
    const [header, , signature] = jwsIn(file()).split(".");
    const [, payload = ""] = jwsIn(file()).split(".");
    const claims = Buffer.from(payload, "base64url").toString().replace("1750", "9750");
    const forged = `${header}.${Buffer.from(claims).toString("base64url")}.${signature}`;
    expect(await verdict(withProof(file(), forged))).toEqual({ kind: "forged" });
    expect(await verdict(withProof(file(), jwsIn(file()).slice(0, -3)))).toEqual({
      kind: "forged",
    });
    const [key] = await readKeys();
    const stolenName = await signedByOthers(jwsIn(file()), key?.kid ?? "");
    expect(await verdict(withProof(file(), stolenName))).toEqual({ kind: "forged" });
  });

  it("signed by a foreign key is told apart, and the log is not asked about it", async () => {
    const foreign = await signedByOthers(jwsIn(file()), "a-key-of-somebody-else");
    expect(await verdict(withProof(file(), foreign))).toEqual({ kind: "foreign" });
    expect(
      await sales.shop.call("POST", "/api/statements/verify", { body: { jws: foreign } }),
    ).toMatchObject({ status: 400, body: { error: "proof_not_valid" } });
  });

  it("without its proof is unsigned", async () => {
    const cut = file().slice(
      0,
      file().indexOf(format === "csv" ? ",,,,Signature" : "%consignment"),
    );
    expect(await verdict(cut)).toEqual({ kind: "unsigned" });
  });
});

it("a file that is not a statement is unreadable", async () => {
  for (const other of ["", "Name,Price\r\nLamp,1\r\n", "\u0000\u0001\u0002", "PK\u0003\u0004"]) {
    expect(await verdict(other)).toEqual({ kind: "unreadable" });
  }
});

it("a PDF still ends like a PDF, and its last startxref is that of its table", () => {
  const [, offset] = /startxref\n(\d+)\n%%EOF\n$/u.exec(pdf) ?? [];
  expect(pdf.slice(Number(offset), Number(offset) + 4)).toBe("xref");
  expect(pdf.split("%%EOF\n")).toHaveLength(3);
});

it("a CSV file that a spreadsheet saved again is changed, not unsigned", async () => {
  const saved = csv.replaceAll(",", ";").replaceAll("\r\n", "\n");
  expect(await verdict(saved)).toMatchObject({ kind: "changed" });
});

it("only of a changed CSV file it is said that a spreadsheet program may have changed it", async () => {
  const sentenceOf = async (file: string) => wordsOf(await verdict(file)).sentence;
  expect(await sentenceOf(`${csv}\n`)).toMatch(/differs from it\. A spreadsheet program/u);
  expect(await sentenceOf(`${pdf}\n`)).toMatch(/differs from it\.$/u);
});

it("a statement signed by a retired key is genuine, and says so", async () => {
  const { rotate } = sales.shop.identity.parts.statementKeys;
  const { current, retired } = await rotate();
  const [newer, older] = await readKeys();
  expect([newer?.kid, older?.kid]).toEqual([current, retired]);
  const found = await verdict(pdf);
  expect(found).toMatchObject({ kind: "genuine", key: { kid: retired } });
  expect(wordsOf(found).sentence).toContain("retired on 2026-11-21");
  expect(await verdict(await fileAs("csv"))).toMatchObject({ key: { kid: current } });
});

it("a key that somebody with only the application's role puts among the store's does not count", async () => {
  const { sql } = sales.shop.database;
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const plant = async (kid: string, proof: Buffer | null): Promise<void> => {
    const jwk = { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" };
    const retire = () => sql`
      update identity.statement_keys set private_sealed = null, retired_at = now()
      where retired_at is null`;
    await retire();
    await sql`
      insert into identity.statement_keys (kid, public_jwk, private_sealed, public_sealed, created_at)
      values (${kid}, ${sql.json(jwk)}, 'anything', ${proof}, now())`;
    await retire();
  };
  const [own] = await sql<{ public_sealed: Buffer }[]>`
    select public_sealed from identity.statement_keys where public_sealed is not null`;
  await plant("planted", null);
  await plant("planted-with-the-proof-of-another", own?.public_sealed ?? null);
  const claims: unknown = JSON.parse(
    Buffer.from(jwsIn(csv).split(".")[1] ?? "", "base64url").toString(),
  );
  for (const kid of ["planted", "planted-with-the-proof-of-another"]) {
    const jws = await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: "ES256", kid })
      .sign(privateKey);
    expect(await verdict(withProof(csv, jws))).toEqual({ kind: "foreign" });
    expect(
      await sales.shop.call("POST", "/api/statements/verify", { body: { jws } }),
    ).toMatchObject({ status: 400, body: { error: "proof_not_valid" } });
  }
  expect((await readKeys()).map(({ kid }) => kid)).not.toContain("planted");
  await expect(
    sql`insert into identity.statement_keys (kid, public_jwk, created_at, is_vouched)
      values ('vouched', '{}', now(), true)`,
  ).rejects.toMatchObject({ code: "42501" });
  await expect(sql`update identity.statement_keys set is_vouched = true`).rejects.toMatchObject({
    code: "42501",
  });
});

it("only public parts of keys are published, a retired private part is gone, and no key can be deleted", async () => {
  const { sql } = sales.shop.database;
  expect(JSON.stringify((await sales.shop.call("GET", "/api/statements/jwks")).body)).not.toContain(
    '"d"',
  );
  expect(
    await sql`select from identity.statement_keys
      where plain_jwk is not null or (retired_at is not null and private_sealed is not null)`,
  ).toHaveLength(0);
  await expect(sql`delete from identity.statement_keys`).rejects.toMatchObject({ code: "42501" });
});

it("two processes that need the first key at once make one", async () => {
  const { sql, ownerSql } = sales.shop.database;
  await ownerSql`create table kept_keys as table identity.statement_keys`;
  await ownerSql`delete from identity.statement_keys`;
  const { sign } = sales.shop.identity.parts.statementKeys;
  await Promise.all([sign({}), sign({}), sign({})]);
  expect(await sql`select from identity.statement_keys`).toHaveLength(1);
  await ownerSql`delete from identity.statement_keys`;
  await ownerSql`insert into identity.statement_keys table kept_keys`;
});

describe("what was recorded later", () => {
  it("is counted and summed where it touches the statement's period, and nothing else is", async () => {
    const other = await sales.consignorWith(9);
    await sales.record(saleOf(other));
    await sales.correct(saleId, { salePrice: 60 });
    await sales.refund(saleId, { quantity: 1, restock: true, reason: "Came back" });
    await sales.record(saleOf(owner, { quantitySold: 1 }));
    const found = await verdict(csv);
    expect(found).toMatchObject({
      kind: "genuine",
      later: {
        changes: { count: 1, amount: 10 },
        refunds: { count: 1, amount: -13.75 },
        late: { count: 1, amount: 17.5 },
      },
    });
  });

  it("outside of the period does not touch a statement of an earlier one", async () => {
    const october = await fileAs("csv", "from=2026-10-01&to=2026-10-31");
    await sales.record(saleOf(owner, { quantitySold: 1 }));
    expect(await verdict(october)).toMatchObject({
      later: { late: nothing, refunds: nothing, changes: nothing },
    });
  });
});

it("a balance that the log does not have is told apart, whichever key of the store signed it", async () => {
  await sales.shop.deps.sql`delete from identity.rate_limits`;
  const { sign } = sales.shop.identity.parts.statementKeys;
  const file = await fileAs("csv");
  const claims: unknown = JSON.parse(
    Buffer.from(jwsIn(file).split(".")[1] ?? "", "base64url").toString(),
  );
  for (const wrong of [{ closingCents: 99_999_999 }, { inTransitCents: 1 }]) {
    const found = await verdict(withProof(file, await sign({ ...Object(claims), ...wrong })));
    expect(found).toMatchObject({ kind: "contradicted" });
    expect(wordsOf(found).title).toBe("The store's log has another balance");
  }
});

it("a balance that somebody wrote into the account's history is told apart, though the store signed it from there", async () => {
  await sales.shop.deps.sql`delete from identity.rate_limits`;
  const { ownerSql } = sales.shop.database;
  const change = (cents: number) => ownerSql`
    update read.account_history set available_after_cents = available_after_cents + ${cents}
    where uid = ${owner.person.uid}`;
  await change(100_000);
  const file = await fileAs("csv");
  expect(await verdict(file)).toMatchObject({ kind: "contradicted" });
  await change(-100_000);
  expect(await verdict(await fileAs("csv"))).toMatchObject({ kind: "genuine" });
});

it("nothing is signed while the store checks the account, and others' statements still are", async () => {
  const { ledger, newId } = sales.shop.deps;
  const { uid } = owner.person;
  const other = await sales.consignorWith(1);
  const hold = {
    uid,
    reference: `proof:${uid}`,
    cause: "proof" as const,
    projection: "account_history",
    rowKey: uid,
    atPosition: 1,
    happenedAt: "2026-11-20T10:00:00.000Z",
  };
  const context = { actor: "system:test", scope: "store", key: newId(), requestHash: "" };
  const held = await ledger.execute(holdPayouts, hold, context);
  expect(held.kind).toBe("accepted");
  const { shop } = sales;
  const saved = (of: ItemOwner, path: string) =>
    shop.call("GET", `/api/accounts/${of.person.uid}/${path}`, { as: of.person });
  for (const path of [`statement?${november}&format=csv`, `statement?${november}&format=pdf`]) {
    expect(await saved(owner, path)).toMatchObject({ status: 503, body: { error: "held_back" } });
  }
  for (const path of ["years/2026?format=csv", "years/2026?format=pdf"]) {
    expect(await saved(owner, path)).toMatchObject({ status: 503, body: { error: "held_back" } });
  }
  const archive = await shop.call("GET", "/api/statements/years/2026?format=zip", {
    as: sales.admin,
  });
  expect(archive).toMatchObject({ status: 503, body: { error: "held_back" } });
  // On screen, the lines stay.
  expect((await saved(owner, `statement?${november}`)).status).toBe(200);
  expect((await saved(other, `statement?${november}&format=csv`)).status).toBe(200);
  const { reference } = hold;
  const lifted = await ledger.execute(
    releasePayouts,
    { uid, reference, happenedAt: hold.happenedAt },
    { ...context, key: newId() },
  );
  expect(lifted.kind).toBe("accepted");
  expect((await saved(owner, `statement?${november}&format=csv`)).status).toBe(200);
});

it("a statement from a log that was rewritten or cut off afterwards is told apart", async () => {
  const { ownerSql } = sales.shop.database;
  const last = await fileAs("pdf");
  const [event] = await ownerSql<{ position: number; hash: Buffer }[]>`
    select position, hash from log.events order by position desc limit 1`;
  await ownerSql`update log.events set hash = sha256('another') where position = ${event?.position ?? 0}`;
  const rewritten = await verdict(last);
  expect(rewritten).toMatchObject({ kind: "rewritten", isMissing: false });
  expect(wordsOf(rewritten).title).toBe("The store's log was rewritten");
  await ownerSql`update log.events set position = position + 100 where position = ${event?.position ?? 0}`;
  expect(await verdict(last)).toMatchObject({ kind: "rewritten", isMissing: true });
});

it("anybody may check 30 files a minute", async () => {
  await sales.shop.deps.sql`delete from identity.rate_limits`;
  const statuses: number[] = [];
  for (let count = 0; count < 32; count += 1) {
    const { status } = await sales.shop.call("POST", "/api/statements/verify", {
      body: { jws: "" },
    });
    statuses.push(status);
  }
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 400), 429, 429]);
});

it("a proof that does not say what a proof says is not valid", async () => {
  const { sign } = sales.shop.identity.parts.statementKeys;
  const jws = await sign({ hello: "there" });
  expect(await verdict(withProof(csv, jws))).toEqual({ kind: "forged" });
});
