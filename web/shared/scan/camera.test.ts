// What the browser says of a camera that cannot be had, told as one of few faults.
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
