// What the shipment form holds, and the request that it becomes.
import {
  DROP_OFF,
  missingIn,
  type Carrier,
  type ShipmentRequest,
  type ShipmentView,
} from "#features/shipments/contract.ts";
import { parseWhole } from "#web/lib/amount.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { carrierOf } from "./carriers.ts";

/** `DROP_OFF` is sent as carrier OTHER with that name. */
export type CarrierChoice = Carrier | "DROP_OFF";

export type ShipmentDraft = {
  readonly needsLabel: boolean;
  readonly carrier: CarrierChoice | "";
  /** True if the carrier was chosen by hand: it is not guessed any more. */
  readonly isChosen: boolean;
  readonly carrierName: string;
  readonly trackingNumber: string;
  readonly contents: string;
  readonly units: string;
};

export const emptyDraft: ShipmentDraft = {
  needsLabel: false,
  carrier: "",
  isChosen: false,
  carrierName: "",
  trackingNumber: "",
  contents: "",
  units: "",
};

export function draftOf(shipment: ShipmentView): ShipmentDraft {
  const { carrier, carrierName, trackingNumber, contents, declaredUnits, label } = shipment;
  const isDropOff = carrier === "OTHER" && carrierName === DROP_OFF;
  return {
    needsLabel: label !== "none",
    carrier: isDropOff ? "DROP_OFF" : (carrier ?? ""),
    isChosen: carrier !== null,
    carrierName: carrier === "OTHER" ? (carrierName ?? "") : "",
    trackingNumber: trackingNumber ?? "",
    contents: contents ?? "",
    units: declaredUnits === null ? "" : String(declaredUnits),
  };
}

/** Guesses the carrier from the number unless one was chosen. */
export function withNumber(draft: ShipmentDraft, trackingNumber: string): ShipmentDraft {
  const guessed = carrierOf(trackingNumber);
  return draft.isChosen || guessed === undefined
    ? { ...draft, trackingNumber }
    : { ...draft, trackingNumber, carrier: guessed };
}

/** An empty form for the next box with the same carrier. */
export function nextBox({ carrier, isChosen, carrierName }: ShipmentDraft): ShipmentDraft {
  return { ...emptyDraft, carrier, isChosen, carrierName };
}

export function requestOf(draft: ShipmentDraft): ShipmentRequest {
  const { needsLabel, carrier, carrierName, trackingNumber, contents, units } = draft;
  const isDropOff = carrier === "DROP_OFF";
  const code = isDropOff ? "OTHER" : carrier;
  return {
    ...(code === "" ? {} : { carrier: code }),
    ...(code === "OTHER" ? { carrierName: isDropOff ? DROP_OFF : carrierName } : {}),
    ...(trackingNumber.trim() === "" ? {} : { trackingNumber }),
    ...(contents.trim() === "" ? {} : { contents }),
    ...(units.trim() === "" ? {} : { declaredUnits: parseWhole(units) ?? Number.NaN }),
    ...(needsLabel ? { needsLabel } : {}),
  };
}

/** With the messages of the specification. */
export function wrongIn(draft: ShipmentDraft): FieldErrors {
  const units = draft.units.trim() === "" ? 1 : (parseWhole(draft.units) ?? 0);
  return {
    ...Object.fromEntries(missingIn(requestOf(draft))),
    ...(units > 0 ? {} : { declaredUnits: "A whole number of at least 1" }),
  };
}
