// Tests that a browser's camera errors are mapped to a few faults.
import { expect, test } from "vitest";
import { faultOf } from "./camera.ts";

test.each([
  ["NotAllowedError", "denied"],
  ["NotFoundError", "missing"],
  ["NotReadableError", "busy"],
  ["TypeError", "failed"],
])("%s of the browser is told as %s", (name, fault) => {
  expect(faultOf(new DOMException("", name))).toBe(fault);
});
