// Guesses the carrier of a tracking number, and links to the carriers' tracking pages.
import type { Carrier } from "#features/shipments/contract.ts";

/** The formats of each carrier's numbers, without spaces. The first match counts. */
const shapes: readonly (readonly [RegExp, Exclude<Carrier, "OTHER">])[] = [
  [/^1Z[0-9A-Z]{16}$/u, "UPS"],
  // A scanned one has the ZIP code of the address in front.
  [/^420\d{5}(?:\d{4})?9[1-5]\d{20}$/u, "USPS"],
  [/^9[1-5]\d{18,20}$/u, "USPS"],
  [/^(?:82|7\d)\d{8}(?:\d{8}|\d{10})$/u, "USPS"],
  [/^[A-Z]{2}\d{9}US$/u, "USPS"],
  [/^96\d{20}$/u, "FEDEX"],
  [/^\d{12}$|^\d{15}$/u, "FEDEX"],
];

/** Undefined if no carrier has such numbers. */
export function carrierOf(trackingNumber: string): Exclude<Carrier, "OTHER"> | undefined {
  const plain = trackingNumber.replaceAll(/[\s-]/gu, "").toUpperCase();
  return shapes.find(([shape]) => shape.test(plain))?.[1];
}

const pages: Readonly<Record<Exclude<Carrier, "OTHER">, string>> = {
  USPS: "https://tools.usps.com/go/TrackConfirmAction?tLabels=",
  UPS: "https://www.ups.com/track?tracknum=",
  FEDEX: "https://www.fedex.com/fedextrack/?trknbr=",
};

/** The carrier's tracking page; undefined for other carriers. */
export function trackingLink(carrier: Carrier | null, trackingNumber: string): string | undefined {
  return carrier === null || carrier === "OTHER"
    ? undefined
    : `${pages[carrier]}${encodeURIComponent(trackingNumber.replaceAll(/\s/gu, ""))}`;
}
