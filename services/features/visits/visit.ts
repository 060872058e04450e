// Which visits are counted: no programs, nothing that only loads ahead, nobody who asks not to be, and no ids.
import { countedScreens } from "#features/visits/contract-screens.ts";
import { DAY_MS } from "#ledger/day-text.ts";

/** Sessions are kept for this long. After that only the sums of their days are. */
export const KEPT_DAYS = 90;

/** Stands for addresses that no screen of ours has. */
export const OTHER_PATH = "/other";

const programs =
  /bot\b|bot\/|crawl|spider|slurp|headless|preview|facebookexternalhit|embedly|monitor|lighthouse|curl|wget|python|java\/|okhttp|go-http|axios|node-fetch|undici/iu;

/** The headers that say whether a visit counts; undefined where a request has none. */
export type VisitHeaders = {
  readonly userAgent: string | undefined;
  readonly purpose: string | undefined;
  readonly doNotTrack: string | undefined;
  readonly globalPrivacyControl: string | undefined;
};

export function isCounted(headers: VisitHeaders): boolean {
  const { userAgent, purpose, doNotTrack, globalPrivacyControl } = headers;
  return (
    userAgent !== undefined &&
    userAgent !== "" &&
    !programs.test(userAgent) &&
    !/prefetch|prerender|preview/iu.test(purpose ?? "") &&
    doNotTrack !== "1" &&
    globalPrivacyControl !== "1"
  );
}

/** Screens with an id in their address, by how the address begins and ends. */
const withId = countedScreens.flatMap((screen) => {
  const [before = "", after] = screen.split(":id");
  return after === undefined ? [] : [{ screen, before, after }];
});
const screens: ReadonlySet<string> = new Set(countedScreens);

/** The screen at this address. Anything else may identify somebody, or be words that a stranger chose: it is `OTHER_PATH`. */
export function patternOf(path: string): string {
  const [plain = ""] = path.split(/[?#]/u);
  const address = plain === "/" ? plain : plain.replace(/\/$/u, "");
  if (screens.has(address)) {
    return address;
  }
  const known = withId.find(
    ({ before, after }) =>
      address.startsWith(before) &&
      address.endsWith(after) &&
      /^[^/]+$/u.test(address.slice(before.length, address.length - after.length)),
  );
  return known?.screen ?? OTHER_PATH;
}

/** False for a session so old that it was counted before its rows were deleted. */
export function isWithinMemory(sessionId: string, now: Date): boolean {
  const startedAt = Number(sessionId.split("_")[1]);
  return startedAt > now.getTime() - KEPT_DAYS * DAY_MS;
}
