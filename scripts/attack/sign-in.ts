// The admin who gives the victim goods and money: signs in with a password, or becomes the first admin of a new store.
import { randomUUID } from "node:crypto";
import { done, type Send, type Sender, textIn } from "./send.ts";

const ADDRESS = "203.0.113.1";

export async function signInAs(send: Send, email: string, password: string): Promise<Sender> {
  const body = { email, password };
  const reply = await done(send("POST /api/identity/sign-in", { body, from: ADDRESS }));
  return { token: textIn(reply, "idToken"), address: ADDRESS };
}

/** `link` is the set-up link that a store without an admin prints. */
export async function becomeAdmin(send: Send, link: string): Promise<Sender> {
  const id = randomUUID().slice(0, 8);
  const body = { email: `admin-${id}@example.test`, password: `admin password ${id}` };
  const reply = await done(send("POST /api/identity/sign-up", { body, from: ADDRESS }));
  const as = { token: textIn(reply, "idToken"), address: ADDRESS };
  const token = link.split("#setup=")[1] ?? "";
  await done(send("POST /api/identity/setup", { as, body: { token } }));
  return as;
}
