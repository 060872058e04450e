// A person with their own browser, for specs of sign-in: it keeps cookies, and its calls come from our own page.
import type { TestAnswer, TestApp } from "#testing/service/test-app.ts";

export type Visitor = {
  /** A call as from our own page, with this browser's cookies and, once signed in, the token. */
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TestAnswer>;
  /** A POST; if the response is a session, this visitor is signed in. */
  readonly enter: (path: string, body: unknown) => Promise<TestAnswer>;
  /** A navigation; returns the redirect's address. */
  readonly follow: (address: string) => Promise<URL>;
  readonly cookies: Map<string, string>;
  readonly token: () => string | undefined;
};

const OUR_PAGE = { Origin: "http://app.test", "User-Agent": "Test browser" };

/** `address` is where the calls come from, in an app that trusts one proxy. */
export function visitorOf(shop: TestApp, address?: string): Visitor {
  const cookies = new Map<string, string>();
  let token: string | undefined;

  function keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const [name = "", value = ""] = pair.split("=");
      if (/; max-age=0\b/i.test(line)) {
        cookies.delete(name);
      } else {
        cookies.set(name, value);
      }
    }
  }
  const send: Visitor["send"] = async (method, path, body, headers = {}) => {
    const answer = await shop.call(method, path, {
      ...(body === undefined ? {} : { body }),
      headers: {
        ...OUR_PAGE,
        ...(address === undefined ? {} : { "X-Forwarded-For": address }),
        ...(cookies.size === 0
          ? {}
          : { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    keep(answer.headers);
    return answer;
  };
  return {
    cookies,
    token: () => token,
    send,
    async enter(path, body) {
      const answer = await send("POST", path, body);
      if (answer.status === 200) {
        token = textIn(answer, "idToken");
      }
      return answer;
    },
    async follow(address) {
      const { pathname, search } = new URL(address, OUR_PAGE.Origin);
      const answer = await send("GET", `${pathname}${search}`);
      return new URL(answer.headers.get("Location") ?? "", OUR_PAGE.Origin);
    },
  };
}

/** A text field of a response's body; empty if there is none. */
export function textIn(answer: TestAnswer, field: string): string {
  const value: unknown = Reflect.get(Object(answer.body), field);
  return typeof value === "string" ? value : "";
}
