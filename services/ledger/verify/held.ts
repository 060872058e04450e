// Checks that nothing is left out: every row key that a shown or waiting table holds back is a finding.
import type { Sql, TransactionSql } from "postgres";
import type { HeldCount, HeldKey } from "#ledger/projection/held.ts";
import { countHeldKeys, readHeldKeys } from "#ledger/projection/held.ts";
import type { Problem } from "#ledger/verify/problem.ts";

/** As many findings as are listed of a check. With more keys, the last finding says how many more there are. */
const MOST_FINDINGS = 100;

function problemOf({ projection, generation, state, key, atPosition, error }: HeldKey): Problem {
  const where = state === "live" ? "" : ` in generation ${generation}, which is not shown`;
  return {
    check: "held",
    position: atPosition,
    message: `${projection}: ${key} is held back since event ${atPosition}${where}: ${error}`,
  };
}

/** Whether a generation's held keys are a finding: if it is shown, or waits and may not be shown. */
function counts(entry: HeldCount): boolean {
  return entry.state === "live" || (entry.state === "ready" && entry.newlyHeld > 0);
}

/** Reports keys held back by tables that are shown, or by newer ones that are not shown because of them. */
export async function checkHeld(sql: Sql | TransactionSql): Promise<Problem[]> {
  const counted = (await countHeldKeys(sql)).filter(counts);
  const total = counted.reduce((sum, entry) => sum + entry.held, 0);
  if (total === 0) {
    return [];
  }
  const keys = (await readHeldKeys(sql, ["live", "ready"], MOST_FINDINGS)).filter((key) =>
    counted.some(
      (entry) => entry.projection === key.projection && entry.generation === key.generation,
    ),
  );
  if (total <= keys.length) {
    return keys.map(problemOf);
  }
  const named = keys.slice(0, MOST_FINDINGS - 1);
  return [
    ...named.map(problemOf),
    {
      check: "held",
      // Without a position it is listed last.
      position: 0,
      message: `${total - named.length} more row keys are held back; \`npm run status -- --json\` lists them`,
    },
  ];
}
