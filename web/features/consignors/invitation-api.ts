// The calls for inviting somebody: the account with its letter, another letter, an end to the links.
import {
  invitationResponse,
  inviteResponse,
  type InvitationResponse,
  type InviteRequest,
  type InviteResponse,
} from "#features/users/contract-invitation.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

/** Accepting it is not an event of the ledger that this read would follow. */
const POLL_MS = 30_000;

function invitationPath(uid: string): string {
  return `/auth/users/${uid}/invitation`;
}

export function useInvitation(uid: string): Read<InvitationResponse> {
  return useRead(invitationPath(uid), invitationResponse, { pollMs: POLL_MS });
}

/** Throws ApiError. */
export function invite(body: InviteRequest, key: string): Promise<InviteResponse> {
  return send({ method: "POST", path: "/auth/invitations", body, answer: inviteResponse, key });
}

/** Sends the letter, also for an account that nobody was invited to yet. Throws ApiError. */
export function sendInvitation(uid: string, key: string): Promise<InvitationResponse> {
  const path = invitationPath(uid);
  return send({ method: "POST", path, body: {}, answer: invitationResponse, key });
}

/** Throws ApiError. */
export function revokeInvitation(uid: string, key: string): Promise<InvitationResponse> {
  return send({ method: "DELETE", path: invitationPath(uid), answer: invitationResponse, key });
}
