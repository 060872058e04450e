// What an attack is: something that must not work, tried against a running store, and what came of it.
import type { Ground } from "./ground.ts";
import { SignUpsUsedUp } from "./send.ts";

export type Outcome =
  /** The store behaved as it should. */
  | { readonly kind: "held"; readonly what: string }
  /** It worked: the store has to be mended, or set up in another way. */
  | { readonly kind: "found"; readonly what: string }
  /** It works and is meant to: the documentation says so. */
  | { readonly kind: "documented"; readonly what: string }
  /** This store lacks what the attack needs. */
  | { readonly kind: "not tried"; readonly what: string };

export type Attack = {
  /** Unique. */
  readonly name: string;
  /** What the store should do. */
  readonly expected: string;
  readonly run: (ground: Ground) => Promise<Outcome>;
};

export type AttackGroup = { readonly name: string; readonly attacks: readonly Attack[] };

const SHOWN = 3;

/** Found if there is any problem; the first few are named. */
export function judge(problems: readonly string[], held: string): Outcome {
  if (problems.length === 0) {
    return { kind: "held", what: held };
  }
  const more = problems.length > SHOWN ? `; and ${problems.length - SHOWN} more` : "";
  return { kind: "found", what: `${problems.slice(0, SHOWN).join("; ")}${more}` };
}

export function notTried(what: string): Outcome {
  return { kind: "not tried", what };
}

/** Runs one; an attack that breaks off is a finding too, because nobody knows what it would have shown. */
export async function tryAttack(ground: Ground, attack: Attack): Promise<Outcome> {
  try {
    return await attack.run(ground);
  } catch (error) {
    if (error instanceof SignUpsUsedUp) {
      return notTried(error.message);
    }
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "found", what: `it could not be carried out: ${why}` };
  }
}
