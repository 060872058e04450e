// A stranger's server can neither lead the store's server anywhere, nor fill its memory, nor keep it waiting.
import { once } from "node:events";
import { createServer as createTcp, type Server } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openTunnel, standInConnections } from "#http/outgoing.ts";
import { createSafeFetch, type Fetched } from "#http/safe-fetch.ts";
import {
  type HostileServer,
  PUBLIC_ADDRESS,
  startHostileServer,
} from "#testing/service/hostile-server.ts";

const HOST = "shop.example";
const hosts = new Set([HOST, "pictures.example"]);
const MAX = 100_000;
const QUICK_MS = 80;
let shop: HostileServer;

beforeAll(async () => {
  shop = await startHostileServer();
});
beforeEach(() => {
  shop.asked.length = 0;
  shop.dialed.length = 0;
  shop.lookedUp.length = 0;
  shop.addresses = [[PUBLIC_ADDRESS]];
});
afterAll(async () => {
  await shop.close();
});

function load(address: string, ms = 5_000): Promise<Fetched> {
  return createSafeFetch(shop.open)(address, {
    hosts,
    types: ["text/html"],
    maxBytes: MAX,
    signal: AbortSignal.timeout(ms),
  });
}

const page = { "Content-Type": "text/html; charset=utf-8" };

it("loads a page, packed or not, as a stranger without cookies, credentials or referer", async () => {
  for (const packed of [false, true]) {
    shop.answer = (_request, response) => {
      response.writeHead(200, { ...page, ...(packed ? { "Content-Encoding": "gzip" } : {}) });
      response.end(packed ? gzipSync("a page") : "a page");
    };
    const loaded = await load(`https://${HOST}/dp/1?a=b#c`);
    expect(loaded).toMatchObject({ kind: "fetched", type: "text/html" });
    expect(loaded.kind === "fetched" && Buffer.from(loaded.bytes).toString()).toBe("a page");
  }
  expect(shop.asked).toEqual([`${HOST} /dp/1?a=b`, `${HOST} /dp/1?a=b`]);
  expect(shop.dialed).toEqual([PUBLIC_ADDRESS, PUBLIC_ADDRESS]);
  const sent = Object.keys(shop.headers());
  expect(sent).not.toContain("cookie");
  expect(sent).not.toContain("authorization");
  expect(sent).not.toContain("referer");
});

it.each([
  ["plain HTTP", `http://${HOST}/`, "bad_address"],
  ["another port", `https://${HOST}:8443/`, "bad_address"],
  ["a name and password", `https://a:b@${HOST}/`, "bad_address"],
  ["no address", "picture.jpg", "bad_address"],
  ["a file", "file:///etc/passwd", "bad_address"],
  ["another host", "https://other.example/", "host_not_allowed"],
  ["a host that begins alike", `https://${HOST}.other.example/`, "host_not_allowed"],
  ["a host that ends alike", `https://other-${HOST}/`, "host_not_allowed"],
  ["an address as host", "https://127.0.0.1/", "host_not_allowed"],
])("%s is refused before anything is looked up", async (_what, address, why) => {
  expect(await load(address)).toEqual({ kind: "refused", why });
  expect(shop.lookedUp).toEqual([]);
});

it.each([
  ["private", ["10.0.0.8"]],
  ["that of this machine", ["127.0.0.1"]],
  ["the metadata service", ["169.254.169.254"]],
  ["mapped into IPv6", ["::ffff:127.0.0.1"]],
  ["public and private", [PUBLIC_ADDRESS, "192.168.0.1"]],
  ["missing", []],
])("a name whose address is %s is not connected to", async (_what, addresses) => {
  shop.addresses = [addresses];
  const refused = { kind: "refused", why: "address_not_public" };
  expect(await load(`https://${HOST}/`)).toEqual(refused);
  expect(shop.dialed).toEqual([]);
});

it("a name that changes its address after the check is connected to at the checked one", async () => {
  shop.addresses = [[PUBLIC_ADDRESS], ["127.0.0.1"]];
  shop.answer = (_request, response) => void response.writeHead(200, page).end("a page");
  expect(await load(`https://${HOST}/`)).toMatchObject({ kind: "fetched" });
  expect(shop.lookedUp).toEqual([HOST]);
  expect(shop.dialed).toEqual([PUBLIC_ADDRESS]);
  // Each connection looks the name up itself: now it is private.
  expect(await load(`https://${HOST}/`)).toMatchObject({ why: "address_not_public" });
  expect(shop.dialed).toEqual([PUBLIC_ADDRESS]);
});

it.each([
  ["this machine", "https://127.0.0.1/", "host_not_allowed"],
  ["this machine by HTTP", "http://127.0.0.1:5432/", "bad_address"],
  ["the metadata service", "http://169.254.169.254/latest/meta-data/", "bad_address"],
  ["the metadata service by TLS", "https://169.254.169.254/", "host_not_allowed"],
  ["another host", "//other.example/", "host_not_allowed"],
  ["a file", "file:///etc/passwd", "bad_address"],
  ["a script", "javascript:alert(1)", "bad_address"],
])("a redirect to %s is not followed", async (_what, location, why) => {
  shop.answer = (_request, response) => void response.writeHead(302, { Location: location }).end();
  expect(await load(`https://${HOST}/`)).toEqual({ kind: "refused", why });
  expect(shop.asked).toHaveLength(1);
});

it("a redirect to an allowed host that has become private is not followed", async () => {
  shop.addresses = [[PUBLIC_ADDRESS], ["10.0.0.1"]];
  shop.answer = (_request, response) =>
    void response.writeHead(301, { Location: "https://pictures.example/" }).end();
  expect(await load(`https://${HOST}/`)).toMatchObject({ why: "address_not_public" });
  expect(shop.lookedUp).toEqual([HOST, "pictures.example"]);
});

it("redirects are followed on allowed hosts, but not around in circles", async () => {
  shop.answer = ({ url }, response) =>
    void (url === "/end"
      ? response.writeHead(200, page).end("the end")
      : response.writeHead(302, { Location: url === "/one" ? "/end" : "/again" }).end());
  expect(await load(`https://${HOST}/one`)).toMatchObject({ kind: "fetched" });
  expect(await load(`https://${HOST}/again`)).toMatchObject({ why: "too_many_redirects" });
  expect(shop.asked).toHaveLength(2 + 4);
});

it.each<[string, string, (response: Parameters<HostileServer["answer"]>[1]) => void]>([
  ["an error", "wrong_status", (response) => response.writeHead(503, page).end("busy")],
  [
    "another type",
    "wrong_type",
    (response) => response.writeHead(200, { "Content-Type": "application/pdf" }).end("%PDF"),
  ],
  ["no type", "wrong_type", (response) => response.writeHead(200).end("x")],
  [
    "an unknown packing",
    "wrong_type",
    (response) => response.writeHead(200, { ...page, "Content-Encoding": "zstd" }).end("x"),
  ],
  [
    "an announced size that is too large",
    "too_large",
    (response) => response.writeHead(200, { ...page, "Content-Length": "900000000" }).write("x"),
  ],
  [
    "a gzip bomb",
    "too_large",
    (response) =>
      response
        .writeHead(200, { ...page, "Content-Encoding": "gzip" })
        .end(gzipSync(Buffer.alloc(MAX * 200))),
  ],
  [
    "broken packing",
    "failed",
    (response) => response.writeHead(200, { ...page, "Content-Encoding": "gzip" }).end("no gzip"),
  ],
  [
    "huge headers",
    "failed",
    (response) => response.writeHead(200, { ...page, "X-Long": "x".repeat(60_000) }).end("x"),
  ],
])("%s is refused", async (_what, why, answer) => {
  shop.answer = (_request, response) => answer(response);
  expect(await load(`https://${HOST}/`)).toEqual({ kind: "refused", why });
});

it("a body without an end is cut off at the limit", async () => {
  let isOver = false;
  shop.answer = (_request, response) => {
    response.writeHead(200, page);
    response.once("close", () => {
      isOver = true;
    });
    // Written again whenever the socket's buffer has room.
    response.on("drain", () => response.write(Buffer.alloc(65_536)));
    response.write(Buffer.alloc(65_536));
  };
  expect(await load(`https://${HOST}/`)).toMatchObject({ why: "too_large" });
  await expect.poll(() => isOver).toBe(true);
});

it.each<[string, HostileServer["answer"]]>([
  ["never answers", () => undefined],
  [
    "sends a byte now and then",
    (_request, response) => {
      response.writeHead(200, page);
      const drip = setInterval(() => response.write("x"), 5);
      response.once("close", () => clearInterval(drip));
    },
  ],
  [
    "sends a header now and then",
    ({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => socket.write("X-A: b\r\n"), 5);
      socket.once("close", () => clearInterval(drip));
    },
  ],
])("a server that %s is left when the time is over", async (_what, answer) => {
  shop.answer = answer;
  expect(await load(`https://${HOST}/`, QUICK_MS)).toEqual({ kind: "refused", why: "timed_out" });
});

it("a server that changes to another protocol is refused at once", async () => {
  shop.answer = ({ socket }) =>
    void socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
  expect(await load(`https://${HOST}/`)).toEqual({ kind: "refused", why: "wrong_status" });
});

it("the time limit holds for a connection that heeds nothing", async () => {
  const deaf = createSafeFetch(() => Promise.withResolvers<never>().promise);
  const signal = AbortSignal.timeout(QUICK_MS);
  const rules = { hosts, types: ["text/html"], maxBytes: MAX, signal };
  const late = { kind: "refused", why: "timed_out" };
  expect(await deaf(`https://${HOST}/`, rules)).toEqual(late);
  // Also for a limit that was over before.
  expect(await deaf(`https://${HOST}/`, rules)).toEqual(late);
});

it("a stand-in takes the place of every allowed host, and of no other", async () => {
  shop.answer = (_request, response) => void response.writeHead(200, page).end("stand-in");
  const load2 = createSafeFetch(standInConnections(new URL(shop.url)));
  const rules = { hosts, types: ["text/html"], maxBytes: MAX, signal: AbortSignal.timeout(5_000) };
  expect(await load2("https://pictures.example/a", rules)).toMatchObject({ kind: "fetched" });
  expect(shop.asked).toEqual(["pictures.example /a"]);
  expect(await load2("https://other.example/a", rules)).toMatchObject({ why: "host_not_allowed" });
});

async function proxyThatSays(
  answer: string,
): Promise<{ proxy: Server; url: URL; heard: string[] }> {
  const heard: string[] = [];
  const proxy = createTcp((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      heard.push(String(chunk));
      socket.end(answer);
    });
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const place = proxy.address();
  const port = place !== null && typeof place === "object" ? place.port : 0;
  return { proxy, url: new URL(`http://name:secret@127.0.0.1:${port}`), heard };
}

it("a proxy is asked for a connection to port 443 of the host, with its own name and password", async () => {
  const { proxy, url, heard } = await proxyThatSays("HTTP/1.1 200 Fine\r\nX: y\r\n\r\n");
  const tunnel = await openTunnel(url, HOST, AbortSignal.timeout(5_000));
  expect(heard.join("")).toContain(`CONNECT ${HOST}:443 HTTP/1.1\r\nHost: ${HOST}:443\r\n`);
  expect(heard.join("")).toContain(`Proxy-Authorization: Basic ${btoa("name:secret")}`);
  tunnel.destroy();
  proxy.close();
});

it.each([
  ["refuses", "HTTP/1.1 403 No\r\n\r\n"],
  ["talks without end", "x".repeat(20_000)],
  ["says nothing", ""],
  ["speaks in the host's place", "HTTP/1.1 200 Fine\r\n\r\nhello"],
])("a proxy that %s opens nothing", async (_what, answer) => {
  const { proxy, url } = await proxyThatSays(answer);
  await expect(openTunnel(url, HOST, AbortSignal.timeout(5_000))).rejects.toThrow(
    "opened no connection",
  );
  proxy.close();
});
