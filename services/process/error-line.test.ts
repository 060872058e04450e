// What an operator reads when a process could not start.
import { once } from "node:events";
import type { NetConnectOpts } from "node:net";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { errorLine, startErrorLine } from "./error-line.ts";

/** What Node says when nothing answers there. */
async function errorOf(address: NetConnectOpts): Promise<unknown> {
  return once(connect(address), "connect").catch((error: unknown) => error);
}

test("a database that cannot be reached is named with its address", async () => {
  const advice = "See that the server runs, and that the address is right, as in DATABASE_URL.\n";
  expect(errorLine(await errorOf({ path: "/nowhere/.s.PGSQL.5432" }))).toBe(
    `PostgreSQL cannot be reached at /nowhere/.s.PGSQL.5432 (ENOENT). ${advice}`,
  );
  expect(errorLine(await errorOf({ host: "127.0.0.1", port: 1 }))).toBe(
    `PostgreSQL cannot be reached at 127.0.0.1:1 (ECONNREFUSED). ${advice}`,
  );
  // A name with several addresses gives an error without a message of its own.
  const both = ["::1", "127.0.0.1"].map((address) =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}:1`), {
      code: "ECONNREFUSED",
      syscall: "connect",
      address,
      port: 1,
    }),
  );
  expect(errorLine(Object.assign(new AggregateError(both), { code: "ECONNREFUSED" }))).toBe(
    `PostgreSQL cannot be reached at [::1]:1 (ECONNREFUSED). ${advice}`,
  );
  const unknown = Object.assign(new Error("getaddrinfo ENOTFOUND nohost"), {
    code: "ENOTFOUND",
    syscall: "getaddrinfo",
    hostname: "nohost",
  });
  expect(errorLine(unknown)).toContain("The name nohost cannot be found (ENOTFOUND)");
});

test("a start whose connections to the database are cut says so, and not only how the driver noticed", () => {
  const cut = Object.assign(new Error("write EPIPE"), { code: "EPIPE", syscall: "write" });
  expect(startErrorLine(cut)).toBe(
    "The connection to the database was lost while starting (write EPIPE). Nothing is lost: start again once the database is up.\n",
  );
  const told = Object.assign(new Error("terminating connection due to administrator command"), {
    code: "57P01",
  });
  expect(startErrorLine(told)).toContain("was lost while starting (terminating connection");
  // A script's output may be closed too.
  expect(errorLine(cut)).toBe("write EPIPE\n");
  const starting = Object.assign(new Error("the database system is starting up"), {
    code: "57P03",
  });
  expect(startErrorLine(starting)).toBe("the database system is starting up\n");
});
