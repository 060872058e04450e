// A check of verify: every key of ID tokens is one that the store sealed, with the public part of the sealed one.
import type { SecretKeys } from "#identity/sealed.ts";
import { createSealed } from "#identity/sealed.ts";
import { findPlantedSigningKeys } from "#identity/signing-key-proof.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";

export function signingKeysCheck(keys: SecretKeys | null): BookCheck {
  return {
    check: "identity",
    look: async (sql) => {
      const { planted, unknown } = await findPlantedSigningKeys(
        sql,
        keys === null ? null : createSealed(keys),
      );
      return {
        problems: planted.map(
          (kid) =>
            `The key of ID tokens ${kid} is not as the store made it: somebody wrote into identity.signing_keys. ` +
            "It does not count",
        ),
        notes:
          unknown === 0
            ? []
            : [`${unknown} keys of ID tokens were not checked: their SECRET_KEY is not at hand`],
      };
    },
  };
}
