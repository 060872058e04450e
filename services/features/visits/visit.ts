// What of a visit is counted: no programs, nothing that only loads ahead, nobody who asks not to be, and no ids.

/** Sessions are kept for this long. After that only the sums of their days are. */
export const KEPT_DAYS = 90;

const DAY_MS = 86_400_000;

/** Stands for addresses that no screen of ours has. */
export const OTHER_PATH = "/other";

const MOST_SEGMENTS = 4;
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

/** Words of our addresses have only letters and hyphens; whatever else is there may identify somebody. */
export function patternOf(path: string): string {
  const [plain = ""] = path.split(/[?#]/u);
  const segments = plain.split("/").filter((segment) => segment !== "");
  return segments.length > MOST_SEGMENTS
    ? OTHER_PATH
    : `/${segments.map((segment) => (/^[a-z]{1,16}(?:-[a-z]{1,16}){0,3}$/u.test(segment) ? segment : ":id")).join("/")}`;
}

/** False for a session so old that it was counted before its rows were deleted. */
export function isWithinMemory(sessionId: string, now: Date): boolean {
  const startedAt = Number(sessionId.split("_")[1]);
  return startedAt > now.getTime() - KEPT_DAYS * DAY_MS;
}
