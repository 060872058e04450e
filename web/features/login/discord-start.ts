// Where "Sign in with Discord" sends the browser. Asks the API for our client id at Discord and for a state tied to this browser.
import { discordStateResponse, messages } from "#features/sign-in/contract.ts";
import { ApiError, asApiError } from "#web/lib/api-error.ts";
import { open, pathOf, read } from "#web/lib/http.ts";

/** The specified sentence for a step that failed. Without any answer it is the connection. */
function failure(error: unknown, sentence: string): ApiError {
  const { status, code, message, requestId } = asApiError(error);
  const said =
    status === 0
      ? messages.discordUnreachable
      : status === 429 || code === "discord_not_configured"
        ? message
        : sentence;
  return new ApiError(status, code, said, { requestId });
}

async function clientId(): Promise<string> {
  const response = await open(
    "/auth/discord/client-id",
    new AbortController().signal,
    "text/plain",
  );
  return (await response.text()).trim();
}

/** Discord's sign-in page for this browser, which later returns to `returnPath`. Throws ApiError with the specified sentences. */
export async function discordAuthorizeUrl(returnPath: string | undefined): Promise<string> {
  const id = await clientId().catch((error: unknown) => {
    throw failure(error, messages.noDiscordClientId);
  });
  if (id === "") {
    // Not by the contract's table of refusals: with it, the first screen would load the sentences of all of them.
    throw new ApiError(409, "discord_not_configured", messages.discordNotConfigured);
  }
  const path = pathOf("/auth/discord/state", { returnPath });
  const { value } = await read(path, discordStateResponse).catch((error: unknown) => {
    throw failure(error, messages.noDiscordState);
  });
  return value.authorizeUrl;
}
