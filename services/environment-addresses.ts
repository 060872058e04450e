// What the addresses and names in the environment must be: encrypted or near, with readable passwords, and issuers that cannot be confused.
import { isLoopback } from "#identity/networks.ts";
import { DISCORD_ISSUER } from "#identity/discord.ts";
import { EMBEDDED_ISSUER } from "#identity/id-tokens.ts";

/** Whether a database is on this machine, or proves who it is. `require` encrypts for anybody who answers. */
export function isNearOrVerified(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const modes = searchParams.getAll("sslmode");
  const isSocket = decodeURIComponent(hostname).startsWith("/");
  return (
    isLoopback(hostname) ||
    isSocket ||
    (modes.length > 0 && modes.every((mode) => mode === "verify-full"))
  );
}

/** An issuer of the same name as another one could sign in its people. One sentence for each. */
export function ambiguousIssuers(
  issuers: readonly string[],
  googleIssuer: string,
): readonly string[] {
  const taken = new Map([
    [comparable(EMBEDDED_ISSUER), "the store's own"],
    [comparable(DISCORD_ISSUER), "that of sign-in with Discord"],
    // Also where Google is not configured: it may be later, and its people would have the same names.
    [comparable(googleIssuer), "that of sign-in with Google"],
  ]);
  return issuers.flatMap((issuer) => {
    const whose = taken.get(comparable(issuer));
    taken.set(comparable(issuer), "listed twice");
    return whose === undefined ? [] : [`the name ${issuer} is ${whose}`];
  });
}

/** Names that a person takes for the same are the same. */
function comparable(issuer: string): string {
  return issuer.normalize("NFKC").trim().toLowerCase().replace(/\/+$/, "");
}

export function isEncryptedOrNear(address: string): boolean {
  return address.startsWith("https:") || isLoopback(new URL(address).hostname);
}

export function passwordIn(address: string): string {
  return decodeURIComponent(new URL(address).password);
}

/** False if the password has a `%` that is not part of an escape. */
export function hasReadablePassword(address: string): boolean {
  try {
    passwordIn(address);
    return true;
  } catch {
    return false;
  }
}
