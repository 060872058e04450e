// What the page's own script asked for before the app's scripts arrived: the session's token and the screen's first reads.

/** Each answer is used once. */
export type Opening = {
  session: Promise<Response> | undefined;
  /** By the path below /api. */
  readonly reads: Map<string, Promise<Response>>;
};

declare global {
  /** Set by `page/opening.ts`, and gone as soon as the app runs. */
  // oxlint-disable-next-line no-var -- only var declares a global
  var opening: Opening | undefined;
}

let opening = globalThis.opening;
globalThis.opening = undefined;

/** The answer to the page's own renewal of the token; undefined if it made none, it failed, or it was taken before. */
export async function takeOpenedSession(): Promise<Response | undefined> {
  const session = opening?.session;
  if (opening !== undefined) {
    opening.session = undefined;
  }
  return answered(session);
}

/** The answer to a first read; undefined if there is none, it was refused, or it was taken before. */
export async function takeFirstRead(path: string): Promise<Response | undefined> {
  const reads = opening?.reads;
  const early = reads?.get(path);
  reads?.delete(path);
  const response = await answered(early);
  return response?.ok === true ? response : undefined;
}

/** Another person signs in, or this one leaves: the answers were for the one before. */
export function forgetFirstReads(): void {
  opening = undefined;
}

async function answered(early: Promise<Response> | undefined): Promise<Response | undefined> {
  try {
    return await early;
  } catch {
    // The app asks again, and says so if it fails too.
    return undefined;
  }
}
