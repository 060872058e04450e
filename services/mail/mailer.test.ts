// Letters arrive at a real mail server on this machine, or in a folder that only its owner can read.
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Letter } from "#mail/letter.ts";
import { createOutbox, createSmtpMailer, MailUnavailable } from "#mail/mailer.ts";

const letter: Letter = {
  to: "casey@people.test",
  subject: "Reset your password",
  paragraphs: ["Somebody asked for a <new> password & you may set one."],
  action: { label: "Reset your password", url: "https://store.test/reset-password#token=abc-_9" },
  closing: "If you did not ask for this, ignore this letter.",
};

type Received = { readonly from: string; readonly to: readonly string[]; readonly source: string };

describe("over SMTP", () => {
  const received: Received[] = [];
  let server: SMTPServer;
  let url: string;
  let refuses = false;

  beforeAll(async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onData(stream, session, done) {
        let source = "";
        stream.setEncoding("utf8");
        stream.on("data", (chunk: string) => {
          source += chunk;
        });
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope;
          const from = mailFrom === false ? "" : mailFrom.address;
          received.push({ from, to: rcptTo.map(({ address }) => address), source });
          done(refuses ? new Error("mailbox full") : null);
        });
      },
    });
    const listening = Promise.withResolvers<void>();
    const listener = server.listen(0, "127.0.0.1", listening.resolve);
    await listening.promise;
    const address = listener.address();
    url = `smtp://127.0.0.1:${address instanceof Object ? address.port : 0}`;
  });

  afterAll(async () => {
    const closed = Promise.withResolvers<void>();
    server.close(closed.resolve);
    await closed.promise;
  });

  const from = "The Store <store@store.test>";

  test("a letter arrives whole, as text and as HTML", async () => {
    await createSmtpMailer({ url, from, requireTls: false }).send(letter);
    const mail = received.at(-1);
    expect(mail).toMatchObject({ from: "store@store.test", to: ["casey@people.test"] });
    const source = unfolded(mail?.source ?? "");
    expect(source).toContain("Subject: Reset your password");
    expect(source).toContain("From: The Store <store@store.test>");
    expect(source).toContain("a <new> password & you");
    expect(source).toContain("a &lt;new&gt; password &amp; you");
    expect(source).toContain(`href="${letter.action.url}"`);
  });

  test("an address cannot add other recipients or headers", async () => {
    const mailer = createSmtpMailer({ url, from, requireTls: false });
    const before = received.length;
    const hostile = {
      ...letter,
      to: "a@people.test, b@people.test",
      subject: "Hello\r\nBcc: c@people.test",
    };
    await mailer.send(hostile).catch(() => undefined);
    for (const { to, source } of received.slice(before)) {
      expect(to).toHaveLength(1);
      expect(source).not.toMatch(/^Bcc:/m);
    }
  });

  test("a server that refuses the letter, is unreachable, or offers no TLS is an error", async () => {
    refuses = true;
    const send = (address: string, requireTls: boolean) =>
      createSmtpMailer({ url: address, from, requireTls }).send(letter);
    await expect(send(url, false)).rejects.toBeInstanceOf(MailUnavailable);
    refuses = false;
    await expect(send(url, true)).rejects.toBeInstanceOf(MailUnavailable);
    await expect(send("smtp://127.0.0.1:1", false)).rejects.toBeInstanceOf(MailUnavailable);
  });
});

describe("a server that goes on slowly", () => {
  /** Each answer comes before the limit of its step, and the next step begins. */
  const EACH_MS = 40;
  let server: Server;
  let url: string;
  let steps = 0;

  beforeAll(async () => {
    server = createServer((socket) => {
      const answer = (text: string) => {
        steps += 1;
        setTimeout(() => socket.writable && socket.write(text), EACH_MS);
      };
      socket.on("error", () => undefined);
      answer("220 slow\r\n");
      // The first of several lines: the end of this answer never comes.
      socket.on("data", () => answer("250-still here\r\n"));
      const more = setInterval(() => answer("250-still here\r\n"), EACH_MS);
      socket.on("close", () => clearInterval(more));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    url = `smtp://127.0.0.1:${address instanceof Object ? address.port : 0}`;
  });

  afterAll(async () => {
    server.close();
    await once(server, "close");
  });

  const aborted = { cause: { name: "AbortError" } };

  test("is left when the letter as a whole has taken too long", async () => {
    const limits = { letterMs: 5 * EACH_MS, lastMs: 60_000 };
    const mailer = createSmtpMailer({ url, from: "store@store.test", requireTls: false, limits });
    await expect(mailer.send(letter)).rejects.toMatchObject(aborted);
  });

  test("does not hold up the end of the process, and nothing begins after it", async () => {
    const ending = new AbortController();
    const limits = { letterMs: 60_000, lastMs: EACH_MS };
    const mailer = createSmtpMailer({
      url,
      from: "store@store.test",
      requireTls: false,
      ending: ending.signal,
      limits,
    });
    steps = 0;
    const sending = mailer.send(letter);
    sending.catch(() => undefined);
    await expect.poll(() => steps, { timeout: 20_000 }).toBeGreaterThan(2);
    ending.abort();
    await expect(sending).rejects.toMatchObject(aborted);
    await expect(mailer.send(letter)).rejects.toMatchObject(aborted);
  });
});

describe("without a mail server", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "outbox-"));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const clock = () => new Date("2026-11-21T10:00:00.000Z");

  test("a letter is a file that only its owner can read, and its link is on the console", async () => {
    const printed: string[] = [];
    const outbox = join(folder, "outbox");
    const mailer = createOutbox(outbox, "store@store.test", clock, (line) => printed.push(line));
    await Promise.all([mailer.send(letter), mailer.send(letter)]);
    const names = await readdir(outbox);
    expect(names).toHaveLength(2);
    expect(names[0]).toMatch(/^2026-11-21T10-00-00\.000Z-[0-9a-f]{8}\.eml$/);
    const file = join(outbox, names[0] ?? "");
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect((await stat(outbox)).mode & 0o077).toBe(0);
    expect(unfolded(await readFile(file, "utf8"))).toContain(letter.action.url);
    expect(printed[0]).toContain(`Mail to ${letter.to}: ${letter.subject}`);
    expect(printed[0]).toContain(letter.action.url);
  });

  test("a folder that cannot be written is an error", async () => {
    const mailer = createOutbox("/dev/null/outbox", "store@store.test", clock, () => undefined);
    await expect(mailer.send(letter)).rejects.toBeInstanceOf(MailUnavailable);
  });
});

/** Without the soft line breaks and escapes of quoted-printable. */
function unfolded(source: string): string {
  return source.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");
}
