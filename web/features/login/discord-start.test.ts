// What the sign-in with Discord says if it cannot begin: each step has its specified sentence.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { discordAuthorizeUrl } from "./discord-start.ts";

let clientId: () => Promise<Response>;
let state: () => Promise<Response>;

const answer = (body: unknown, status = 200) => Promise.resolve(Response.json(body, { status }));
const text = (body: string) => Promise.resolve(new Response(body));
const broken = () => answer({ error: "internal_error", message: "Something went wrong" }, 500);
const cut = () => Promise.reject(new TypeError("Failed to fetch"));

beforeEach(() => {
  clientId = () => text("4711");
  state = () => answer({ state: "s", authorizeUrl: "https://discord.test/authorize?state=s" });
  vi.stubGlobal("fetch", (url: string) => (url.includes("client-id") ? clientId() : state()));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it("leads to Discord's page with a state of this browser", async () => {
  expect(await discordAuthorizeUrl(undefined)).toBe("https://discord.test/authorize?state=s");
});

it.each([
  ["Could not get Discord client ID", { clientId: broken }],
  ["Discord client ID is not configured", { clientId: () => text("  ") }],
  ["Could not generate state", { state: broken }],
  ["Failed to connect to Discord", { clientId: cut }],
  ["Failed to connect to Discord", { state: cut }],
])("says %s", async (sentence, fault) => {
  ({ clientId = clientId, state = state } = { clientId, state, ...fault });
  await expect(discordAuthorizeUrl(undefined)).rejects.toThrow(sentence);
});
