// How a provider's failures are classified, also when the HTTP server has replaced the `Response` class.
import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askProvider, ProviderRefusal } from "#identity/oauth-client.ts";

// Answers with the status in the path.
const provider = createServer((request, response) => {
  response.writeHead(Number(request.url?.slice(1))).end("<h1>Sorry</h1>");
});
let url: string;

beforeAll(async () => {
  // Starting the app's server does this: the result of fetch is then not an instance of `Response`.
  getRequestListener(() => new Response());
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  const address = provider.address();
  url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
});

afterAll(async () => {
  provider.closeAllConnections();
  provider.close();
  await once(provider, "close");
});

async function kindOf(error: Error): Promise<string> {
  try {
    await askProvider("Somebody", async () => {
      throw error;
    });
    return "no refusal";
  } catch (refusal) {
    return refusal instanceof ProviderRefusal ? refusal.kind : "something else";
  }
}

describe("a provider", () => {
  it.each([500, 503])("is down if its answer is %i, whichever library read it", async (status) => {
    const cause = await fetch(`${url}/${status}`);
    expect(cause).not.toBeInstanceOf(Response);
    expect(await kindOf(new Error("unexpected answer", { cause }))).toBe("down");
  });

  it("is down if nothing answers, also if that is the cause of another error", async () => {
    const cause = new TypeError("fetch failed");
    expect(await kindOf(cause)).toBe("down");
    expect(await kindOf(new Error("no document", { cause }))).toBe("down");
  });

  it("refused if its answer says that the request is wrong", async () => {
    const cause = await fetch(`${url}/400`);
    expect(await kindOf(new Error("invalid_grant", { cause }))).toBe("denied");
  });
});
