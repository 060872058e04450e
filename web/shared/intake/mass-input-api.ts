// The calls behind mass input: what is known of scanned codes, and taking them in.
import {
  knownBarcodesResponse,
  massInputResponse,
  type KnownBarcode,
  type KnownBarcodesRequest,
  type MassInputRequest,
  type MassInputResponse,
} from "#features/inventory/contract-commands.ts";
import { call, send } from "#web/lib/http.ts";

export function massInput(body: MassInputRequest, key: string): Promise<MassInputResponse> {
  const path = "/inventory/consignor/mass-input";
  return send({ method: "POST", path, body, answer: massInputResponse, key });
}

/** Changes nothing, so nothing on screen is read again. Throws ApiError. */
export async function askKnown(body: KnownBarcodesRequest): Promise<readonly KnownBarcode[]> {
  const response = await call("/inventory/known", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return knownBarcodesResponse.parse(await response.json()).known;
}
