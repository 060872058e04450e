// What forms say of a call that failed.
import { expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import { failureText } from "./failure-text.ts";

const sent = "It may have been recorded all the same. Press again without changing anything";

it("says that a call without an answer may have been recorded, and how to repeat it", () => {
  const lost = new ApiError(0, "unreachable", "The server cannot be reached.");
  expect(failureText("Error saving", lost)).toMatch(
    new RegExp(`^Error saving: The server cannot be reached. ${sent}`, "u"),
  );
  expect(failureText("Error saving", new ApiError(500, "internal", "Wrong."))).toContain(sent);
});

it("says nothing of that where it was refused, or never sent", () => {
  const refused = new ApiError(409, "not_enough_stock", "Only 2 available in inventory");
  expect(failureText("Error saving", refused)).toBe("Error saving: Only 2 available in inventory");
  const unsent = new ApiError(0, "offline", "You're offline.");
  expect(failureText("Error saving", unsent)).toBe("Error saving: You're offline.");
});
