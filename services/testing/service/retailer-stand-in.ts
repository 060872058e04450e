// A small stand-in for the retailer: pages of products and their pictures, all hosts on one port of this machine.
import { once } from "node:events";
import { createServer } from "node:http";
import { createRetailer, type Retailer } from "#http/retailer.ts";
import { pngOf } from "#testing/service/tiny-images.ts";

export type RetailerStandIn = {
  readonly retailer: Retailer;
  /** For RETAILER_STAND_IN. */
  readonly url: string;
  /** What was asked for, in order: "host path". */
  readonly asked: string[];
  /** `busy`: pages answer 503. `robots`: pages ask a riddle instead. */
  mood: "kind" | "busy" | "robots";
  readonly close: () => Promise<void>;
};

const HOST = "www.amazon.com";
const PICTURES = "m.media-amazon.com";
const BY_NUMBER = "images-na.ssl-images-amazon.com";

/** Has a page and a picture. */
export const WITH_PICTURE = "B0PICTURE1";
/** Its page cannot be read, but there is a picture by its number. */
export const BY_NUMBER_ALONE = "B0NUMBER01";
/** No page, and a single pixel as its picture. */
export const WITHOUT_PICTURE = "B0NOTHING1";

export function linkTo(asin: string): string {
  return `https://${HOST}/Some-Thing/dp/${asin}/ref=sr_1_1?tag=somebody-20`;
}

export async function startRetailer(): Promise<RetailerStandIn> {
  const asked: string[] = [];
  const server = createServer(({ headers, url = "" }, response) => {
    const { host = "" } = headers;
    asked.push(`${host} ${url}`);
    const [, asin = ""] = /([A-Z0-9]{10})/u.exec(url) ?? [];
    const html = { "Content-Type": "text/html;charset=UTF-8" };
    if (host === HOST && standIn.mood === "busy") {
      response.writeHead(503, html).end("Sorry");
    } else if (host === HOST && standIn.mood === "robots") {
      response.writeHead(200, html).end("<p>Type the characters you see</p>");
    } else if (host === HOST && asin.startsWith("B0PICTURE")) {
      const picture = `https://${PICTURES}/images/I/${asin}._AC_SL1500_.jpg`;
      response.writeHead(200, html).end(`<img id="landingImage" data-old-hires="${picture}">`);
    } else if (host === HOST) {
      response.writeHead(404, html).end("Not found");
    } else {
      const isThere = host === PICTURES || (host === BY_NUMBER && !asin.startsWith("B0NOTHING"));
      const side = !isThere ? 1 : url.includes("_SL160_") ? 16 : 120;
      response.writeHead(200, { "Content-Type": "image/png" }).end(pngOf(side, side));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const place = server.address();
  if (place === null || typeof place === "string") {
    throw new Error("The stand-in listens on no port");
  }
  const url = `http://127.0.0.1:${place.port}`;
  const standIn: RetailerStandIn = {
    retailer: createRetailer({
      hosts: [HOST],
      imageHosts: [PICTURES, BY_NUMBER],
      proxy: null,
      standIn: url,
    }),
    url,
    asked,
    mood: "kind",
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return standIn;
}
