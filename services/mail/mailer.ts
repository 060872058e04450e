// Sends letters: over SMTP if it is configured, else into a folder, with their link on the console.
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { asHtml, asText, type Letter } from "./letter.ts";

export type Mailer = {
  /**
   * Resolves when the mail server or the folder has the letter. Rejects with `MailUnavailable`. A letter that may be
   * sent twice has an `id`: most mail programs show one.
   */
  readonly send: (letter: Letter, id?: string) => Promise<void>;
};

/** The letter was not accepted; the cause says why. */
export class MailUnavailable extends Error {
  override readonly name = "MailUnavailable";
}

export type SmtpSettings = {
  /** `smtp://` or `smtps://`, with user and password if the server needs them. */
  readonly url: string;
  readonly from: string;
  /** Refuses an unencrypted connection if the server offers no TLS. */
  readonly requireTls: boolean;
  /** The process begins to end: letters under way get only a little more time. */
  readonly ending?: AbortSignal | undefined;
  readonly limits?: Limits;
};

/** `letterMs`: for one letter, even if the server keeps answering. `lastMs`: for all of them, once the process ends. */
type Limits = { readonly letterMs: number; readonly lastMs: number };

/** For each step of a letter. */
const TIMEOUT_MS = 10_000;
const usual: Limits = { letterMs: 30_000, lastMs: 5_000 };

export function createSmtpMailer(settings: SmtpSettings): Mailer {
  const { url, from, requireTls, ending, limits = usual } = settings;
  const over = abortedAfter(ending, limits.lastMs);
  const transport = createTransport(
    {
      url,
      requireTLS: requireTls,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // Letters are only text: nothing in them may make the library read a file or an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    async send(letter, id) {
      try {
        const signal = AbortSignal.any([AbortSignal.timeout(limits.letterMs), over]);
        await transport.sendMail({ ...partsOf(letter), ...messageId(id, from), signal });
      } catch (cause) {
        throw new MailUnavailable("The mail server did not accept the letter", { cause });
      }
    },
  };
}

function abortedAfter(ending: AbortSignal | undefined, lastMs: number): AbortSignal {
  const over = new AbortController();
  ending?.addEventListener("abort", () => setTimeout(() => over.abort(), lastMs).unref(), {
    once: true,
  });
  return over.signal;
}

/** `print` writes to the console, never to the log: anyone who reads the link can act as the recipient. */
export function createOutbox(
  folder: string,
  from: string,
  clock: () => Date,
  print: (text: string) => void,
): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true }, { from });
  return {
    async send(letter, id) {
      const { message } = await transport.sendMail({ ...partsOf(letter), ...messageId(id, from) });
      const time = clock().toISOString().replaceAll(":", "-");
      const file = join(folder, `${time}-${randomUUID().slice(0, 8)}.eml`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(file, message, { mode: 0o600, flag: "wx" });
      } catch (cause) {
        throw new MailUnavailable(`The letter could not be written to ${file}`, { cause });
      }
      print(`Mail to ${letter.to}: ${letter.subject}\n  ${letter.action.url}\n  kept in ${file}\n`);
    },
  };
}

function messageId(id: string | undefined, from: string): { readonly messageId?: string } {
  const [, domain = "store.invalid"] = /@([^\s<>@]+)>?$/u.exec(from) ?? [];
  return id === undefined ? {} : { messageId: `<${id}@${domain}>` };
}

function partsOf(letter: Letter) {
  return {
    // As an object, not as text: a comma must not make two addresses.
    to: { name: "", address: letter.to },
    subject: letter.subject,
    text: asText(letter),
    html: asHtml(letter),
  };
}
