// How an attempt ended, as the security log says it.
import type { SecurityOutcome } from "#identity/security-kinds.ts";
import { Chip, type ChipKind } from "#web/ui/chip.tsx";

export const outcomeWords: Readonly<Record<SecurityOutcome, string>> = {
  ok: "Done",
  wrong: "Wrong",
  limited: "Too often",
  refused: "Refused",
};

const kinds: Readonly<Record<SecurityOutcome, ChipKind>> = {
  ok: "done",
  wrong: "danger",
  limited: "pending",
  refused: "danger",
};

export function OutcomeChip({ outcome }: { readonly outcome: SecurityOutcome }) {
  return <Chip kind={kinds[outcome]}>{outcomeWords[outcome]}</Chip>;
}
