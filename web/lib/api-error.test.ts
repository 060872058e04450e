// Tests which failed reads a screen repeats by itself.
import { expect, it } from "vitest";
import { ApiError } from "./api-error.ts";

it("repeats a read that was not answered or came too often, and none that was refused", () => {
  const passing = [0, 400, 401, 403, 404, 409, 429, 500, 503].filter(
    (status) => new ApiError(status, "code", "Sentence").isPassing,
  );
  expect(passing).toEqual([0, 429, 500, 503]);
});
