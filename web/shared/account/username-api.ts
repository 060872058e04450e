// The username's calls: checking whether one is available, and setting it.
import {
  checkUsernameResponse,
  setUsernameResponse,
  type CheckUsernameResponse,
  type SetUsernameRequest,
} from "#features/users/contract-own.ts";
import { pathOf, read, send } from "#web/lib/http.ts";

/** Throws ApiError. */
export async function checkUsername(username: string): Promise<CheckUsernameResponse> {
  return (await read(pathOf("/auth/check-username", { username }), checkUsernameResponse)).value;
}

/** Returns the name as it was stored. Throws ApiError. */
export async function setUsername(body: SetUsernameRequest, key: string): Promise<string> {
  const path = "/auth/set-username";
  return (await send({ method: "POST", path, body, answer: setUsernameResponse, key })).username;
}
