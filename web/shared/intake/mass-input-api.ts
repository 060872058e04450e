// The call behind mass input.
import {
  massInputResponse,
  type MassInputRequest,
  type MassInputResponse,
} from "#features/inventory/contract-commands.ts";
import { send } from "#web/lib/http.ts";

export function massInput(body: MassInputRequest, key: string): Promise<MassInputResponse> {
  const path = "/inventory/consignor/mass-input";
  return send({ method: "POST", path, body, answer: massInputResponse, key });
}
