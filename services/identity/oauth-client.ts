// What Google's and Discord's clients have in common: settings, time-outs, and telling a refusal from an outage.
import * as oauth from "openid-client";

/** This app as a provider's client. */
export type OAuthSettings = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Google's issuer, or what Discord's paths follow. */
  readonly baseUrl: string;
};

/** `denied`: the person or the provider said no, or what came back is not right. `down`: no answer. */
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

/** Gives the work's result, and everything that goes wrong in it as a `ProviderRefusal`. */
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
      : new ProviderRefusal("denied", `${provider} refused, or its answer was not right`, error);
  }
}

/** No connection, no answer in time, or an answer of 500 and above; also as the cause of something else. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const status = Math.max(statusOf(error), statusOf(error.cause));
  const isUnreachable =
    error.name === "TimeoutError" ||
    error.name === "AbortError" ||
    // What fetch throws when there is no connection.
    (error instanceof TypeError && error.message === "fetch failed");
  return isUnreachable || status >= 500 || isOutage(error.cause);
}

/** Told by the field, not by the class: the HTTP server puts a `Response` of its own in the place of Node's. */
function statusOf(subject: unknown): number {
  const status: unknown =
    typeof subject === "object" && subject !== null ? Reflect.get(subject, "status") : undefined;
  return typeof status === "number" ? status : 0;
}
