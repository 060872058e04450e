// The tokens that open nothing: forged, foreign, outlived, and those of people who are no longer let in.
import { endAccount } from "#testing/shop/people.ts";
import type { OutsideTokens } from "#testing/service/outside-tokens.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { textIn, visitorOf } from "#testing/service/visitor.ts";
import { EMBEDDED_AUDIENCE, EMBEDDED_ISSUER } from "#identity/id-tokens.ts";

/** A caller and the status that every call but an open one gives them. */
export type Stranger = {
  readonly who: string;
  readonly token: string | undefined;
  readonly status: 401 | 403;
};

/** Made once for the whole table: nobody can use them up. */
export async function strangersOf(
  shop: TestApp,
  outside: OutsideTokens,
  admin: TestPerson,
): Promise<readonly Stranger[]> {
  const of = (status: Stranger["status"], tokens: Readonly<Record<string, string | undefined>>) =>
    Object.entries(tokens).map(([who, token]) => ({ who, token, status }));
  return [
    ...of(401, {
      nobody: undefined,
      "an expired token": await outside.token({ lifetime: -10 }),
      "a forged token": await outside.token({ isForged: true }),
      "a token without a signature": await outside.unsigned(),
      // Names us as issuer, but is signed with the key of another accepted issuer.
      "another issuer's key": await outside.token({
        issuer: EMBEDDED_ISSUER,
        audience: EMBEDDED_AUDIENCE,
      }),
      "another audience": await outside.token({ audience: EMBEDDED_AUDIENCE }),
      "an unknown issuer": await outside.token({ issuer: "https://unknown.test" }),
      "a signed-out session": await endedSession(shop, "POST", "sign-out"),
      "sessions ended everywhere": await endedSession(shop, "DELETE", "sessions"),
    }),
    ...of(403, {
      "a deactivated person": await deactivated(shop),
      "an erased person": await erased(shop, admin),
    }),
  ];
}

/** Of a person who signed up in a browser and then ended the session with this call. */
async function endedSession(shop: TestApp, method: string, call: string): Promise<string> {
  const visitor = visitorOf(shop);
  const account = { email: `${call}@people.test`, password: "a password" };
  const token = textIn(await visitor.enter("/api/identity/sign-up", account), "idToken");
  const body = method === "POST" ? {} : undefined;
  const ended = await visitor.send(method, `/api/identity/${call}`, body);
  if (ended.status !== 200) {
    throw new Error(`${call} answered ${ended.status}: ${JSON.stringify(ended.body)}`);
  }
  return token;
}

async function deactivated(shop: TestApp): Promise<string> {
  const person = await shop.person("Deactivated");
  await endAccount(shop.deps, person.uid);
  return person.token;
}

async function erased(shop: TestApp, admin: TestPerson): Promise<string> {
  const person = await shop.person("Erased");
  const answer = await shop.call("DELETE", `/api/auth/users/${person.uid}`, { as: admin });
  if (answer.status !== 200) {
    throw new Error(`The person could not be erased: ${JSON.stringify(answer.body)}`);
  }
  // The deletion ended the sessions; this token is as new as one can be.
  return shop.identity.issueTokenFor(person.uid);
}
