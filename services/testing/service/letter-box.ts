// A mailer whose letters a test reads, and that can be down.
import type { Letter } from "#mail/letter.ts";
import { type Mailer, MailUnavailable } from "#mail/mailer.ts";

export type LetterBox = {
  readonly mailer: Mailer;
  /** The sent letters, newest last. */
  readonly letters: readonly Letter[];
  readonly setDown: (isDown: boolean) => void;
  /** Throws the letters away; the mailer is up again. */
  readonly empty: () => void;
};

export function createLetterBox(): LetterBox {
  const letters: Letter[] = [];
  let isDown = false;
  return {
    letters,
    mailer: {
      send: (letter) => {
        if (isDown) {
          return Promise.reject(new MailUnavailable("down"));
        }
        letters.push(letter);
        return Promise.resolve();
      },
    },
    setDown: (down) => {
      isDown = down;
    },
    empty: () => {
      letters.length = 0;
      isDown = false;
    },
  };
}
