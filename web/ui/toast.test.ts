// What a toast is: the caller says whether something went wrong, never the words.
import { beforeEach, expect, it } from "vitest";
import { showErrorToast, showScanToast, showToast, waitingToasts } from "./toast.ts";

beforeEach(() => {
  waitingToasts.take();
});

it("takes an item whose name holds the word Error for what it is: saved", () => {
  showToast("Error 404 sign saved");
  showErrorToast("Desk lamp could not be saved");
  showScanToast("Scan ignored here: CAM-1");
  expect(waitingToasts.take().map(({ kind }) => kind)).toEqual(["done", "error", "scan"]);
});

it("hands each toast over once, oldest first", () => {
  showToast("one");
  showToast("two", { undo: () => undefined });
  expect(waitingToasts.take().map(({ message }) => message)).toEqual(["one", "two"]);
  expect(waitingToasts.take()).toEqual([]);
});
