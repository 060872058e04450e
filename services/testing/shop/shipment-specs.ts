// What the specs of shipments begin with: ids, a submission, books with a shipment on its way, and marks.
import { expect } from "vitest";
import type { SubmitShipment } from "#features/shipments/decider.ts";
import type { MarkShipment } from "#features/shipments/decider-store.ts";
import { submitShipment } from "#features/shipments/decider.ts";
import { shipmentStreamId } from "#features/shipments/streams.ts";
import { userStreamId } from "#features/users/streams.ts";
import type { MemoryBooks } from "#testing/shop/memory-books.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";

export const avery = "avery-000000000000001";
export const blake = "blake-000000000000002";
export const noon = "2026-11-20T12:00:00.000Z";

export function idOf(number: number): string {
  return `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;
}
export const shipmentId = idOf(1);
export const streams = [shipmentStreamId(shipmentId), userStreamId(avery)];
export const said = {
  textId: idOf(2),
  carrier: "UPS",
  declaredUnits: 12,
  needsLabel: false,
} as const;

export function submitting(given: Partial<SubmitShipment> = {}): SubmitShipment {
  return { shipmentId, consignorId: avery, said, boxOf: null, happenedAt: noon, ...given };
}

/** Books in which the shipment is on its way. */
export function booksWith(given: Partial<SubmitShipment> = {}): MemoryBooks {
  const books = memoryBooks();
  expect(books.when(submitShipment, submitting(given)).kind).toBe("accepted");
  return books;
}

export function marking(given: Partial<MarkShipment>): MarkShipment {
  return { shipmentId, delivered: null, processed: null, counts: null, happenedAt: noon, ...given };
}
