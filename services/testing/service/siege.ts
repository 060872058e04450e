// An owner's browser and strangers in sixty networks, for specs of who is locked out by guessing.
import { expect } from "vitest";
import type { TestAnswer, TestApp } from "#testing/service/test-app.ts";
import { type Visitor, visitorOf } from "#testing/service/visitor.ts";

export const BROWSER_COOKIE = "known_browser";
export const SIEGE_PASSWORD = "open sesame";

/** Each in its own /64 of one /48, which anybody can rent for a few dollars a month. */
export const networkOf = (index: number): string => `2001:db8:77:${index.toString(16)}::1`;

export const post = (visitor: Visitor, path: string, body: object): Promise<TestAnswer> =>
  visitor.send("POST", `/api/identity/${path}`, body);

/** Attacks on one account, in an app that trusts one proxy. */
export type Siege = {
  readonly email: string;
  readonly signIn: (visitor: Visitor, password?: string) => Promise<TestAnswer>;
  readonly askForLetter: (visitor: Visitor) => Promise<TestAnswer>;
  /** The account is made in this browser, or in a new one. */
  readonly signUp: (visitor?: Visitor) => Promise<Visitor>;
  /** Fifty wrong sign-ins and ten mail requests, from sixty networks. Returns the statuses. */
  readonly attack: () => Promise<number[]>;
};

export function siegeOf(shop: TestApp, email: string): Siege {
  const signIn: Siege["signIn"] = (visitor, password = SIEGE_PASSWORD) =>
    post(visitor, "sign-in", { email, password });
  const askForLetter: Siege["askForLetter"] = (visitor) =>
    post(visitor, "password-reset", { email });
  return {
    email,
    signIn,
    askForLetter,
    async signUp(visitor = visitorOf(shop, networkOf(1_000))) {
      const answer = await visitor.enter("/api/identity/sign-up", {
        email,
        password: SIEGE_PASSWORD,
      });
      expect(answer.status).toBe(200);
      return visitor;
    },
    async attack() {
      const statuses: number[] = [];
      for (let index = 0; index < 50; index += 1) {
        statuses.push((await signIn(visitorOf(shop, networkOf(index)), `guess ${index}`)).status);
      }
      for (let index = 50; index < 60; index += 1) {
        statuses.push((await askForLetter(visitorOf(shop, networkOf(index)))).status);
      }
      return statuses;
    },
  };
}

/** The same browser elsewhere, with only what makes it known. */
export function moved(shop: TestApp, visitor: Visitor, address: string): Visitor {
  const there = visitorOf(shop, address);
  const cookie = visitor.cookies.get(BROWSER_COOKIE);
  if (cookie !== undefined) {
    there.cookies.set(BROWSER_COOKIE, cookie);
  }
  return there;
}
