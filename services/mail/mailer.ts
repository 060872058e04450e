// Letters leave here: over SMTP where it is configured, else into a folder, with their link on the console.
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { asHtml, asText, type Letter } from "./letter.ts";

export type Mailer = {
  /** Resolves when somebody else has the letter: a mail server, or the folder. Rejects with `MailUnavailable`. */
  readonly send: (letter: Letter) => Promise<void>;
};

/** The letter was not taken; the cause says why. */
export class MailUnavailable extends Error {
  override readonly name = "MailUnavailable";
}

export type SmtpSettings = {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  readonly url: string;
  readonly from: string;
  /** Refuses to speak in the clear where the server offers no TLS. */
  readonly requireTls: boolean;
};

const TIMEOUT_MS = 10_000;

export function createSmtpMailer({ url, from, requireTls }: SmtpSettings): Mailer {
  const transport = createTransport(
    {
      url,
      requireTLS: requireTls,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // Letters are made of text alone: nothing in them may name a file or an address to be read.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    async send(letter) {
      try {
        await transport.sendMail(partsOf(letter));
      } catch (cause) {
        throw new MailUnavailable("The mail server did not take the letter", { cause });
      }
    },
  };
}

/** `print` writes to the console, never to the log: whoever reads the link can act as its addressee. */
export function createOutbox(
  folder: string,
  from: string,
  clock: () => Date,
  print: (text: string) => void,
): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true }, { from });
  return {
    async send(letter) {
      const { message } = await transport.sendMail(partsOf(letter));
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

function partsOf(letter: Letter) {
  return {
    // As an address, not as text: a comma in it must not make two.
    to: { name: "", address: letter.to },
    subject: letter.subject,
    text: asText(letter),
    html: asHtml(letter),
  };
}
