// Tests which things a scan is about if several kinds have its code.
import { expect, it } from "vitest";
import type { FoundThing } from "#features/lookup/contract.ts";
import { meantByScan } from "./scan-answer.ts";

const item: FoundThing = {
  kind: "item",
  id: "1",
  itemName: "Lamp",
  barcode1: "012345678905",
  location: "",
  quantity: 1,
  consignorID: null,
  consignorName: null,
};
const sale: FoundThing = {
  kind: "sale",
  id: "2",
  itemName: "Lamp",
  quantity: 1,
  price: 40,
  soldAt: "2026-11-02T10:00:00.000Z",
  consignorName: null,
};
const shipment: FoundThing = {
  kind: "shipment",
  id: "3",
  shortId: "3",
  trackingNumber: "012345678905",
  consignorName: "Avery",
};
const person: FoundThing = { kind: "consignor", id: "4", name: "Avery", email: null };

it("opens the item although a parcel or a person has its code", () => {
  expect(meantByScan([shipment, person, sale, item])).toEqual([item]);
  expect(meantByScan([item, shipment, { ...item, id: "5" }])).toHaveLength(2);
});

it("opens the sale of a receipt before a parcel, and offers the rest if there are neither", () => {
  expect(meantByScan([person, sale, shipment])).toEqual([sale]);
  expect(meantByScan([person, shipment])).toEqual([person, shipment]);
  expect(meantByScan([])).toEqual([]);
});
