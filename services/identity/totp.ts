// The codes of authenticator apps (RFC 6238 over RFC 4226: SHA-1, six digits, a new code every 30 seconds). Pure.
import { createHmac, timingSafeEqual } from "node:crypto";

const STEP_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226 asks for at least 16 bytes and recommends 20. */
export const TOTP_SECRET_BYTES = 20;
/** A phone's clock may be one step off, either way. */
const STEPS_OFF = [0, -1, 1];

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The code of a counter (RFC 4226). */
export function hotp(secret: Uint8Array, counter: number, digits = DIGITS): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac("sha1", secret).update(message).digest();
  const at = mac.readUInt8(mac.length - 1) & 0xf;
  const number = mac.readUInt32BE(at) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** The number of the 30 seconds that a time is in. */
export function stepOf(at: Date): number {
  return Math.floor(at.getTime() / 1000 / STEP_SECONDS);
}

/** The step whose code this is, now or one step off; undefined for a wrong code. */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) {
    return undefined;
  }
  return STEPS_OFF.map((off) => stepOf(now) + off).find((step) =>
    timingSafeEqual(Buffer.from(hotp(secret, step)), Buffer.from(code)),
  );
}

/** As apps take it: capitals and digits, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32.charAt(Number.parseInt(five.padEnd(5, "0"), 2)))
    .join("");
}

/** What the QR code says: the app shows `issuer` and `account` with its codes. */
export function otpauthUri(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
