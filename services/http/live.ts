// Live events: one check of the checkpoints tells every listening screen how far the read tables are.
import type { ReadCheckpoints } from "#http/checkpoints.ts";

export type LiveOptions = {
  readonly readCheckpoints: ReadCheckpoints;
  readonly clock: () => Date;
  /** Called once when the checkpoints cannot be read, until they can be read again. */
  readonly onError: (error: unknown) => void;
  /** How often the checkpoints are read while anybody listens. */
  readonly lookEveryMs?: number;
  /** How often a heartbeat is sent and the listener's standing is read again. */
  readonly heartbeatMs?: number;
};

/** One open stream. */
export type Listener = {
  readonly uid: string;
  /** When the token that opened the stream ends; the screen then reconnects with a new one. */
  readonly endsAt: Date;
  /** Reads again whether the person may listen. */
  readonly mayStay: () => Promise<boolean>;
  /** Sends positions by projection as JSON, or a heartbeat without them. */
  readonly send: (progress: string | undefined) => Promise<unknown>;
  readonly isGone: () => boolean;
  readonly onGone: (tell: () => void) => void;
};

/** The streams of one process. */
export type Live = {
  /** Checks now instead of waiting for the next turn, because read tables have changed. */
  readonly nudge: () => void;
  /** False if there are too many streams, of this person or in total, and after closing. */
  readonly hasRoomFor: (uid: string) => boolean;
  /** Sends every change to the listener; resolves when it is gone, may not listen any longer, or all streams end. */
  readonly listen: (listener: Listener) => Promise<void>;
  /** Ends all streams and accepts no new ones, so that the server can close. */
  readonly close: () => void;
  readonly listenerCount: () => number;
};

const MAX_PER_PERSON = 20;
const MAX_LISTENERS = 2_000;

type Broadcast = {
  latest: string | undefined;
  isClosed: boolean;
  /** The functions that wake each listener. */
  readonly wakers: Map<Listener, () => void>;
};

export function createLive(options: LiveOptions): Live {
  const { lookEveryMs = 200, heartbeatMs = 20_000, clock, onError } = options;
  const state: Broadcast = { latest: undefined, isClosed: false, wakers: new Map() };
  const { wakers } = state;
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
      const news = JSON.stringify({ projections: Object.fromEntries(positions) });
      if (news !== state.latest) {
        state.latest = news;
        tellAll();
      }
    } catch (error) {
      if (!isFailing) {
        isFailing = true;
        onError(error);
      }
    } finally {
      isLooking = false;
      if (wakers.size > 0 && !state.isClosed) {
        timer = setTimeout(() => void look(), lookEveryMs);
        timer.unref();
      }
    }
  }

  function tellAll(): void {
    for (const wake of wakers.values()) {
      wake();
    }
  }

  return {
    async listen(listener) {
      const following = follow(listener, state, clock, heartbeatMs);
      void look();
      await following.catch(onError);
    },
    hasRoomFor(uid) {
      const own = [...wakers.keys()].filter((listener) => listener.uid === uid);
      return !state.isClosed && wakers.size < MAX_LISTENERS && own.length < MAX_PER_PERSON;
    },
    nudge() {
      if (wakers.size > 0) {
        void look();
      }
    },
    close() {
      state.isClosed = true;
      clearTimeout(timer);
      tellAll();
    },
    listenerCount: () => wakers.size,
  };
}

async function follow(
  listener: Listener,
  broadcast: Broadcast,
  clock: () => Date,
  heartbeatMs: number,
): Promise<void> {
  let turn = Promise.withResolvers<void>();
  const wake = (): void => turn.resolve();
  const heartbeat = setInterval(wake, heartbeatMs);
  let askedAt = performance.now();
  let sent: string | undefined;
  broadcast.wakers.set(listener, wake);
  listener.onGone(wake);
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
    broadcast.wakers.delete(listener);
  }
}
