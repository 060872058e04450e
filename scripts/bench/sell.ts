// Who a benchmark sells to: the ledger in this process, or the service over HTTP.
import { recordSale } from "#features/sales/decider-record.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import type { ServiceProcess } from "#testing/service/service-process.ts";
import type { Connection } from "./http-connection.ts";
import { openConnection, saleRequests } from "./http-connection.ts";
import { signIn, targetOf } from "./service.ts";
import type { ShopItem } from "./shop.ts";
import { newContext, saleOf } from "./shop.ts";

/** Sells one unit, and resolves with the position of the sale. Throws if it was refused. */
export type Sell = (item: ShopItem) => Promise<number>;

export function sellTo(ledger: LedgerWriter): Sell {
  return async (item) => {
    const outcome = await ledger.execute(recordSale, saleOf(item), newContext());
    if (outcome.kind !== "accepted") {
      throw new Error(`A sale of the benchmark was answered: ${outcome.kind}`);
    }
    return outcome.position;
  };
}

/** Less than an ID token lasts. */
const TOKEN_MS = 300_000;

/** Sells as the admin, who signs in again from time to time. */
async function signedRequests(service: ServiceProcess) {
  const renew = async () => targetOf(service, await signIn(service.url));
  const target = await renew();
  let requestFor = saleRequests(target);
  let renewAt = performance.now() + TOKEN_MS;
  return {
    target,
    requestFor: async (item: ShopItem) => {
      if (performance.now() > renewAt) {
        renewAt = performance.now() + TOKEN_MS;
        requestFor = saleRequests(await renew());
      }
      return requestFor(item);
    },
  };
}

/** Sells over this many connections; a sale that finds none free waits for one. Close it when no sale is under way. */
export async function sellOverHttp(
  service: ServiceProcess,
  connections: number,
): Promise<{ readonly sell: Sell; readonly close: () => void }> {
  const { target, requestFor } = await signedRequests(service);
  const all = await Promise.all(Array.from({ length: connections }, () => openConnection(target)));
  const free = [...all];
  const waiting: ((connection: Connection) => void)[] = [];
  const take = () => {
    const connection = free.pop();
    return connection ?? new Promise<Connection>((resolve) => waiting.push(resolve));
  };
  const giveBack = (connection: Connection) => {
    const next = waiting.shift();
    if (next === undefined) {
      free.push(connection);
    } else {
      next(connection);
    }
  };
  return {
    async sell(item) {
      const connection = await take();
      const { status, head } = await connection.send(await requestFor(item));
      giveBack(connection);
      const position = /\r\nledger-position: (\d+)\r\n/iu.exec(head)?.[1];
      if (status !== 200 || position === undefined) {
        throw new Error(`A sale of the benchmark was answered: ${head}`);
      }
      return Number(position);
    },
    close: () => all.forEach((connection) => connection.close()),
  };
}
