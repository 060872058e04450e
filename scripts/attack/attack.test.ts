// Every attack in its short form against a store in this process, and against the same store with its guards off.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startHttpServer } from "#http/server.ts";
import { readWebBuild } from "#http/web-build.ts";
import { asText } from "#mail/letter.ts";
import { webBuildFolder } from "#process/machine.ts";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { tryAttack } from "./attack.ts";
import { attackGroups } from "./attacks.ts";
import { type Ground, openGround } from "./ground.ts";

let shop: TestApp;
let ground: Ground;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  shop = await openTestApp({ proxyCount: 1, webBuild: await readWebBuild(webBuildFolder) });
  const server = await startHttpServer({
    app: shop.app,
    host: "127.0.0.1",
    port: 0,
    closeStreams: shop.live.close,
  });
  closing.push(() => server.close(0), shop.close);
  const admin = await shop.person("Admin", "admin");
  ground = await openGround({
    url: server.url,
    isThorough: false,
    hasProxy: true,
    admin: () => Promise.resolve({ token: admin.token, address: "203.0.113.1" }),
    lettersTo: (email) =>
      Promise.resolve(shop.letters.filter(({ to }) => to === email).map(asText)),
  });
});

afterAll(async () => {
  ground?.close();
  for (const close of closing) {
    await close();
  }
});

describe.each(attackGroups)("$name", ({ attacks }) => {
  it.each(attacks)("$name", async (attack) => {
    const outcome = await tryAttack(ground, attack);
    expect(outcome).toMatchObject({
      kind: expect.stringMatching(/^(?:held|documented|not tried)$/),
    });
  });
});
