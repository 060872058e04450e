// The real service over a bench database: people, goods and a token, and its processes as children.
import { pino } from "pino";
import { openStore } from "#process/open-store.ts";
import type { Store } from "#process/open-store.ts";
import { parseConfig } from "#config";
import { connect } from "#db/connect.ts";
import { makePerson } from "#testing/shop/people.ts";
import type { ServiceProcess } from "#testing/service/service-process.ts";
import { startService, waitUntilReady } from "#testing/service/service-process.ts";
import type { HttpTarget } from "./http-connection.ts";
import type { BenchDatabase } from "./server.ts";
import type { ShopItem } from "./shop.ts";
import { consignorIdOf, SHOP_CONSIGNORS, stockShelves } from "./shop.ts";

const PASSWORD = "a-password-of-the-bench";
const ADMIN = "admin@bench.test";

/** The environment for a process of the service on this database. */
export function environmentOf(database: BenchDatabase): Record<string, string> {
  return {
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATA_DIR: database.folder,
    // A store that was never proved is proved at once, which would be measured too.
    PROOF_TIME: "off",
  };
}

/** The store in this process, without an API. Close it. */
export function openBenchStore(database: BenchDatabase, works: boolean): Promise<Store> {
  return openStore({
    config: parseConfig({ ...environmentOf(database), PORT: "0" }),
    logger: pino({ level: "error" }),
    name: "bench",
    works,
  });
}

/** Fills a new database with an admin, 200 consignors with profiles, and 1,000 items of theirs. */
export async function stockService(database: BenchDatabase): Promise<readonly ShopItem[]> {
  const store = await openBenchStore(database, false);
  try {
    await makeAdmin(store);
    await makeConsignors(database);
    return await stockShelves(store.ledger);
  } finally {
    await store.close();
  }
}

/** Gives 200 consignors profiles. */
export async function makeConsignors(database: BenchDatabase): Promise<void> {
  const owner = connect(database.ownerUrl, { applicationName: "bench-people", maxConnections: 1 });
  try {
    await owner`
      insert into identity.profiles (uid, email, display_name, created_at)
      select uid, uid || '@bench.test', uid, now()
      from unnest(string_to_array(${Array.from({ length: SHOP_CONSIGNORS }, (_, index) => consignorIdOf(index)).join(",")}, ',')) as uid`;
  } finally {
    await owner.end();
  }
}

/** The admin that `signIn` uses. */
export async function makeAdmin(store: Store): Promise<{ email: string; password: string }> {
  await makeOneAdmin(store, ADMIN, "bench-admin");
  return { email: ADMIN, password: PASSWORD };
}

/** More admins, by their emails. */
export async function makeAdmins(store: Store, count: number): Promise<readonly string[]> {
  const emails = Array.from({ length: count }, (_, index) => `admin-${index}@bench.test`);
  for (const [index, email] of emails.entries()) {
    await makeOneAdmin(store, email, `bench-admin-${index}`);
  }
  return emails;
}

async function makeOneAdmin(store: Store, email: string, username: string): Promise<void> {
  const displayName = "The bench";
  await makePerson(store, { email, displayName, username, role: "admin", password: PASSWORD });
}

/** An ID token of the admin, or of somebody else with the same password. */
export async function signIn(url: string, email: string = ADMIN): Promise<string> {
  const answer = await fetch(`${url}/api/identity/sign-in`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: url },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const body: unknown = await answer.json();
  if (typeof body === "object" && body !== null && "idToken" in body) {
    return String(body.idToken);
  }
  throw new Error(`The bench could not sign in: ${answer.status} ${JSON.stringify(body)}`);
}

/** Where a process of the service takes requests. */
export function targetOf(service: ServiceProcess, token: string): HttpTarget {
  const { hostname, port } = new URL(service.url);
  return { host: hostname, port: Number(port), token };
}

/** Runs API and worker in one process, as `npm start` does, while `use` measures. */
export async function withService<Result>(
  database: BenchDatabase,
  environment: Readonly<Record<string, string>>,
  use: (service: ServiceProcess) => Promise<Result>,
): Promise<Result> {
  const service = await startService({
    entry: "start.ts",
    environment: { ...environmentOf(database), ...environment },
  });
  try {
    await waitUntilReady(service);
    return await use(service);
  } finally {
    await service.kill("SIGTERM");
  }
}
