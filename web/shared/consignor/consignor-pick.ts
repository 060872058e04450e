// The state of a consignor field: the picked person, and the typed text, which is not a choice.
import type { Consignor } from "./consignor-api.ts";

export type ConsignorPick = {
  readonly chosen: Consignor | undefined;
  readonly typed: string;
};

export function pickOf(consignor: Consignor | undefined): ConsignorPick {
  return { chosen: consignor, typed: consignor?.label ?? "" };
}

/** The error of a pick. `emptyMessage` is used if nothing was typed. */
export function pickError(pick: ConsignorPick, emptyMessage: string): string | undefined {
  if (pick.chosen !== undefined) {
    return undefined;
  }
  return pick.typed.trim() === "" ? emptyMessage : "Please select a user from the dropdown";
}
