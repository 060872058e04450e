// Live events: one look at the checkpoints tells every listening screen how far the read tables are.
import type { ReadCheckpoints } from "#http/checkpoints.ts";

export type LiveOptions = {
  readonly readCheckpoints: ReadCheckpoints;
  readonly clock: () => Date;
  /** Told once when the checkpoints cannot be read, however often they are looked at until they can. */
  readonly onError: (error: unknown) => void;
  /** How often the checkpoints are looked at while anybody listens. */
  readonly lookEveryMs?: number;
  /** How often a sign of life is sent, and the listener's standing read again. */
  readonly heartbeatMs?: number;
};

/** One open stream. */
export type Listener = {
  readonly uid: string;
  /** When the token that opened the stream ends; the screen comes again with a new one. */
  readonly endsAt: Date;
  /** Reads anew whether the person may listen. */
  readonly mayStay: () => Promise<boolean>;
  /** Sends positions by projection as JSON, or without any a sign of life. */
  readonly send: (progress: string | undefined) => Promise<unknown>;
  readonly isGone: () => boolean;
  readonly onGone: (tell: () => void) => void;
};

/** The streams of one process. */
export type Live = {
  /** Looks now, without waiting for the next turn: for whoever knows that read tables have moved. */
  readonly nudge: () => void;
  /** False while there are too many streams, of this person or of all, and once closed. */
  readonly hasRoomFor: (uid: string) => boolean;
  /** Tells the listener of every change; resolves when it is gone, may not stay, or all streams end. */
  readonly listen: (listener: Listener) => Promise<void>;
  /** Ends all streams and takes no new ones; the server can then close. */
  readonly close: () => void;
  readonly listenerCount: () => number;
};

const MAX_PER_PERSON = 20;
const MAX_LISTENERS = 2_000;

type Broadcast = {
  latest: string | undefined;
  isClosed: boolean;
  /** How each listener is told that there is something to look at. */
  readonly tells: Map<Listener, () => void>;
};

export function createLive(options: LiveOptions): Live {
  const { lookEveryMs = 200, heartbeatMs = 20_000, clock, onError } = options;
  const state: Broadcast = { latest: undefined, isClosed: false, tells: new Map() };
  const { tells } = state;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isFailing = false;

  async function look(): Promise<void> {
    if (isLooking) {
      return;
    }
    isLooking = true;
    clearTimeout(timer);
    try {
      const { positions } = await options.readCheckpoints();
      isFailing = false;
      const told = JSON.stringify({ projections: Object.fromEntries(positions) });
      if (told !== state.latest) {
        state.latest = told;
        tellAll();
      }
    } catch (error) {
      if (!isFailing) {
        isFailing = true;
        onError(error);
      }
    } finally {
      isLooking = false;
      if (tells.size > 0 && !state.isClosed) {
        timer = setTimeout(() => void look(), lookEveryMs);
        timer.unref();
      }
    }
  }

  function tellAll(): void {
    for (const tell of tells.values()) {
      tell();
    }
  }

  return {
    async listen(listener) {
      const following = follow(listener, state, clock, heartbeatMs);
      void look();
      await following.catch(onError);
    },
    hasRoomFor(uid) {
      const own = [...tells.keys()].filter((listener) => listener.uid === uid);
      return !state.isClosed && tells.size < MAX_LISTENERS && own.length < MAX_PER_PERSON;
    },
    nudge() {
      if (tells.size > 0) {
        void look();
      }
    },
    close() {
      state.isClosed = true;
      clearTimeout(timer);
      tellAll();
    },
    listenerCount: () => tells.size,
  };
}

async function follow(
  listener: Listener,
  broadcast: Broadcast,
  clock: () => Date,
  heartbeatMs: number,
): Promise<void> {
  let turn = Promise.withResolvers<void>();
  const tell = (): void => turn.resolve();
  const heartbeat = setInterval(tell, heartbeatMs);
  let askedAt = performance.now();
  let sent: string | undefined;
  broadcast.tells.set(listener, tell);
  listener.onGone(tell);
  try {
    while (!listener.isGone() && !broadcast.isClosed && clock() < listener.endsAt) {
      if (performance.now() - askedAt >= heartbeatMs) {
        askedAt = performance.now();
        if (!(await listener.mayStay())) {
          break;
        }
      }
      const news = broadcast.latest === sent ? undefined : broadcast.latest;
      sent = broadcast.latest;
      await listener.send(news);
      await turn.promise;
      turn = Promise.withResolvers();
    }
  } finally {
    clearInterval(heartbeat);
    broadcast.tells.delete(listener);
  }
}
