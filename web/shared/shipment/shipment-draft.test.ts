// The shipment form guesses the carrier until somebody chooses one, and says what is missing in the specification's words.
import { expect, test } from "vitest";
import { emptyDraft, nextBox, requestOf, withNumber, wrongIn } from "./shipment-draft.ts";

test("the carrier is guessed from the number, but not against a choice", () => {
  expect(withNumber(emptyDraft, "1Z999AA10123456784").carrier).toBe("UPS");
  const chosen = { ...emptyDraft, carrier: "FEDEX", isChosen: true } as const;
  expect(withNumber(chosen, "1Z999AA10123456784").carrier).toBe("FEDEX");
  expect(withNumber({ ...emptyDraft, carrier: "UPS" }, "12").carrier).toBe("UPS");
});

test.each([
  [{}, { carrier: "Please select a carrier", trackingNumber: "Please enter tracking number" }],
  [{ trackingNumber: "1" }, { carrier: "Please select a carrier" }],
  [{ carrier: "OTHER", trackingNumber: "1" }, { carrierName: "Please enter carrier name" }],
  [{ carrier: "USPS" }, { trackingNumber: "Please enter tracking number" }],
  [{ carrier: "DROP_OFF" }, {}],
  [{ needsLabel: true }, {}],
  [{ carrier: "USPS", trackingNumber: "1", units: "two" }, { declaredUnits: expect.any(String) }],
] as const)("%j lacks %j", (given, missing) => {
  expect(wrongIn({ ...emptyDraft, ...given })).toEqual(missing);
});

test("what is empty is not sent, and a drop-off is another carrier under that name", () => {
  const draft = { ...emptyDraft, carrier: "DROP_OFF", units: "12" } as const;
  expect(requestOf(draft)).toEqual({
    carrier: "OTHER",
    carrierName: "Drop-off",
    declaredUnits: 12,
  });
});

test("another box keeps the carrier and nothing else", () => {
  const box = {
    ...emptyDraft,
    carrier: "UPS",
    isChosen: true,
    trackingNumber: "1",
    units: "3",
  } as const;
  expect(nextBox(box)).toEqual({ ...emptyDraft, carrier: "UPS", isChosen: true });
});
