// A check of verify: every key of statements was made by the store.
import type { SecretKeys } from "#identity/sealed.ts";
import { createSealed } from "#identity/sealed.ts";
import { findPlantedKeys } from "#identity/statement-keys.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";

export function statementKeysCheck(keys: SecretKeys | null): BookCheck {
  return {
    check: "identity",
    look: async (sql) => {
      const { planted, unknown } = await findPlantedKeys(
        sql,
        keys === null ? null : createSealed(keys),
      );
      return {
        problems: planted.map(
          (kid) =>
            `The key of statements ${kid} was not made by the store: somebody put it into identity.statement_keys. ` +
            "It does not count",
        ),
        notes:
          unknown === 0
            ? []
            : [`${unknown} keys of statements were not checked: their SECRET_KEY is not at hand`],
      };
    },
  };
}
