// What a consignor field holds: who was picked from the list, and what is only typed, which is no choice.
import type { Consignor } from "./consignor-api.ts";

export type ConsignorPick = {
  readonly chosen: Consignor | undefined;
  readonly typed: string;
};

export function pickOf(consignor: Consignor | undefined): ConsignorPick {
  return { chosen: consignor, typed: consignor?.label ?? "" };
}

/** What is wrong with a pick; `emptyMessage` is said where nothing was typed. */
export function pickError(pick: ConsignorPick, emptyMessage: string): string | undefined {
  if (pick.chosen !== undefined) {
    return undefined;
  }
  return pick.typed.trim() === "" ? emptyMessage : "Please select a user from the dropdown";
}
