// Live events: one check of the checkpoints tells every listening screen how far the read tables are.
import type { ReadCheckpoints } from "#http/checkpoints.ts";

export type LiveOptions = {
  readonly readCheckpoints: ReadCheckpoints;
  readonly clock: () => Date;
  /** Called once when the checkpoints or the standings cannot be read, until they can be read again. */
  readonly onError: (error: unknown) => void;
  /** How often the checkpoints are read while anybody listens. */
  readonly lookEveryMs?: number;
  /** How often a heartbeat is sent. */
  readonly heartbeatMs?: number;
  /** How often the standing of all listeners is read again: their streams end that soon after their sessions. */
  readonly standingMs?: number;
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
  /** Those whose session ended, or who were deactivated, until their stream has closed. */
  readonly barred: Set<Listener>;
};

export function createLive(options: LiveOptions): Live {
  const { lookEveryMs = 200, heartbeatMs = 20_000, clock, onError } = options;
  const state: Broadcast = {
    latest: undefined,
    isClosed: false,
    wakers: new Map(),
    barred: new Set(),
  };
  const watchStandings = createStandingWatch(state, options.standingMs ?? 2_000, onError);
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
      watchStandings();
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

/**
 * Reads the standing of all listeners again and again while there are any, at the same time for all, so that it is
 * one query. While it cannot be read, streams stay open: they say nothing but positions, and end with their token.
 */
function createStandingWatch(
  state: Broadcast,
  everyMs: number,
  onError: (error: unknown) => void,
): () => void {
  let isWatching = false;
  let isFailing = false;

  async function ask(): Promise<void> {
    const listeners = [...state.wakers];
    try {
      const stay = await Promise.all(listeners.map(([listener]) => listener.mayStay()));
      isFailing = false;
      for (const [index, [listener, wake]] of listeners.entries()) {
        if (stay[index] !== true && state.wakers.has(listener)) {
          state.barred.add(listener);
          wake();
        }
      }
    } catch (error) {
      if (!isFailing) {
        isFailing = true;
        onError(error);
      }
    }
  }

  function askLater(): void {
    const timer = setTimeout(() => {
      void ask().finally(() => {
        if (state.wakers.size > 0 && !state.isClosed) {
          askLater();
        } else {
          isWatching = false;
        }
      });
    }, everyMs);
    timer.unref();
  }

  return () => {
    if (!isWatching) {
      isWatching = true;
      askLater();
    }
  };
}

/** Sends what is new, or a heartbeat; one at a time. */
function createSender(listener: Listener, broadcast: Broadcast, wake: () => void) {
  let failure: { readonly error: unknown } | undefined;
  let isSending = false;
  let sent: string | undefined;
  return {
    send: async (): Promise<void> => {
      if (isSending) {
        return;
      }
      isSending = true;
      const news = broadcast.latest === sent ? undefined : broadcast.latest;
      sent = broadcast.latest;
      try {
        await listener.send(news);
        isSending = false;
      } catch (error) {
        failure = { error };
      }
      if (isSending || broadcast.latest !== sent) {
        wake();
      }
    },
    throwFailure: (): void => {
      if (failure !== undefined) {
        throw failure.error;
      }
    },
  };
}

/** Never waits for a send, which may take for ever if nobody reads: the stream ends with the session all the same. */
async function follow(
  listener: Listener,
  broadcast: Broadcast,
  clock: () => Date,
  heartbeatMs: number,
): Promise<void> {
  let turn = Promise.withResolvers<void>();
  const wake = (): void => turn.resolve();
  const heartbeat = setInterval(wake, heartbeatMs);
  const { send, throwFailure } = createSender(listener, broadcast, wake);
  broadcast.wakers.set(listener, wake);
  listener.onGone(wake);
  try {
    while (isListening(listener, broadcast, clock())) {
      void send();
      await turn.promise;
      turn = Promise.withResolvers();
      throwFailure();
    }
  } finally {
    clearInterval(heartbeat);
    broadcast.wakers.delete(listener);
    broadcast.barred.delete(listener);
  }
}

function isListening(listener: Listener, { isClosed, barred }: Broadcast, now: Date): boolean {
  return !listener.isGone() && !isClosed && !barred.has(listener) && now < listener.endsAt;
}
