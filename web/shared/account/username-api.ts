// The username's calls: whether one is free, and taking it.
import {
  checkUsernameResponse,
  setUsernameResponse,
  type CheckUsernameResponse,
  type SetUsernameRequest,
} from "#features/users/contract.ts";
import { pathOf, read, send } from "#web/lib/http.ts";

/** Throws ApiError. */
export async function checkUsername(username: string): Promise<CheckUsernameResponse> {
  return (await read(pathOf("/auth/check-username", { username }), checkUsernameResponse)).value;
}

/** Answers the name as it is kept. Throws ApiError. */
export async function setUsername(body: SetUsernameRequest, key: string): Promise<string> {
  const path = "/auth/set-username";
  return (await send({ method: "POST", path, body, answer: setUsernameResponse, key })).username;
}
