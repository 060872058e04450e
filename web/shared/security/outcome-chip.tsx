// How an attempt ended, as the security log says it.
import { outcomeWords, type SecurityOutcome } from "#identity/security-kinds.ts";
import { Chip, type ChipKind } from "#web/ui/chip.tsx";

const kinds: Readonly<Record<SecurityOutcome, ChipKind>> = {
  ok: "done",
  wrong: "danger",
  limited: "pending",
  refused: "danger",
  "cut-off": "pending",
};

export function OutcomeChip({ outcome }: { readonly outcome: SecurityOutcome }) {
  return <Chip kind={kinds[outcome]}>{outcomeWords[outcome]}</Chip>;
}
