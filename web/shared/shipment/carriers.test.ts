// Carriers are known by their numbers, however those are typed; a number of nobody's is nobody's.
import { expect, test } from "vitest";
import { carrierOf, trackingLink } from "./carriers.ts";

test.each([
  ["1Z 999 AA1 01 2345 6784", "UPS"],
  ["1z999aa10123456784", "UPS"],
  ["9400 1000 0000 0000 0000 00", "USPS"],
  ["92612999985435000000000000", undefined],
  ["420902109400100000000000000000", "USPS"],
  ["EA123456789US", "USPS"],
  ["7012 3456 7890", "FEDEX"],
  ["449044304137821", "FEDEX"],
  ["9622001900000000000000", "FEDEX"],
  ["", undefined],
  ["DROP-3F2A91BC", undefined],
  ["12345", undefined],
])("%s is %s", (number, carrier) => {
  expect(carrierOf(number)).toBe(carrier);
});

test("a parcel is followed at its carrier's, without the spaces; others have no page", () => {
  expect(trackingLink("UPS", "1Z 999")).toBe("https://www.ups.com/track?tracknum=1Z999");
  expect(trackingLink("OTHER", "DROP-1")).toBeUndefined();
  expect(trackingLink(null, "1")).toBeUndefined();
});
