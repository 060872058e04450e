// A secret after the hash sign of a link: removed from the address bar at once, kept in this tab until it is used.
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";

/** The secret in "#name=…"; undefined for any other hash. */
export function linkTokenIn(hash: string, name: string): string | undefined {
  const prefix = `#${name}=`;
  const token = hash.startsWith(prefix) ? hash.slice(prefix.length) : "";
  return /^[\w.-]{1,200}$/.test(token) ? token : undefined;
}

/** The token of a screen that takes the links of one name: the link that just arrived wins over the one that this tab kept. */
export function linkTokenNow(
  hash: string,
  name: string,
  kept: string | undefined,
): string | undefined {
  return isLink(hash) ? linkTokenIn(hash, name) : kept;
}

/** True for a link with a secret, of whatever name, also for one that was cut off. */
function isLink(hash: string): boolean {
  return /^#[a-z]+=/.test(hash);
}

function readKept(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function keep(key: string, token: string | undefined): void {
  try {
    if (token === undefined) {
      sessionStorage.removeItem(key);
    } else {
      sessionStorage.setItem(key, token);
    }
  } catch {
    // Without storage the token lasts until the page is left, which is usually long enough.
  }
}

export type LinkToken = {
  /** The link is still in the address, and about to leave it: a redirect must wait, or it would be undone. */
  readonly isInAddress: boolean;
  readonly token: string | undefined;
  /** After the token was used: deletes it from storage, while the screen keeps its state. */
  readonly spend: () => void;
  /** The token did not work: the screen continues as it would without one. */
  readonly forget: () => void;
};

/** `name` stands before the secret in the hash. `key` is where this tab stores it, for example while the person signs in first. */
export function useLinkToken(name: string, key: string): LinkToken {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(() => linkTokenNow(hash, name, readKept(key)));
  const present = linkTokenNow(hash, name, token);
  if (present !== token) {
    setToken(present);
  }
  useEffect(() => {
    if (isLink(hash)) {
      keep(key, linkTokenIn(hash, name));
      void navigate(`${pathname}${search}`, { replace: true });
    }
  }, [hash, name, key, pathname, search, navigate]);
  return {
    isInAddress: isLink(hash),
    token,
    spend: () => keep(key, undefined),
    forget() {
      keep(key, undefined);
      setToken(undefined);
    },
  };
}
