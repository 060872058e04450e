// The common part of Google's and Discord's clients: settings, timeouts, and distinguishing a refusal from an outage.
import * as oauth from "openid-client";

/** This app as a provider's client. */
export type OAuthSettings = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Google's issuer, or what Discord's paths follow. */
  readonly baseUrl: string;
};

/** `denied`: the person or the provider refused, or the answer was invalid. `down`: no answer. */
export class ProviderRefusal extends Error {
  override readonly name = "ProviderRefusal";
  readonly kind: "denied" | "down";

  constructor(kind: "denied" | "down", message: string, cause: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

export const PROVIDER_TIMEOUT_SECONDS = 10;

/** Configuration refuses plain http in production; elsewhere a provider may run on this machine. */
export function insecureWhereLocal(
  baseUrl: string,
): readonly ((config: oauth.Configuration) => void)[] {
  return baseUrl.startsWith("http:") ? [oauth.allowInsecureRequests] : [];
}

/** Returns the work's result; throws every failure in it as a `ProviderRefusal`. */
export async function askProvider<Result>(
  provider: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderRefusal) {
      throw error;
    }
    throw isOutage(error)
      ? new ProviderRefusal("down", `${provider} does not answer`, error)
      : new ProviderRefusal("denied", `${provider} refused, or its answer was invalid`, error);
  }
}

/** No connection, no answer in time, or a status of 500 and above; also as the cause of another error. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const status = Math.max(statusOf(error), statusOf(error.cause));
  const isUnreachable =
    error.name === "TimeoutError" ||
    error.name === "AbortError" ||
    // Fetch throws this if there is no connection.
    (error instanceof TypeError && error.message === "fetch failed");
  return isUnreachable || status >= 500 || isOutage(error.cause);
}

/** Checks the field and not the class, because the HTTP server replaces Node's `Response` with its own. */
function statusOf(subject: unknown): number {
  const status: unknown =
    typeof subject === "object" && subject !== null ? Reflect.get(subject, "status") : undefined;
  return typeof status === "number" ? status : 0;
}
