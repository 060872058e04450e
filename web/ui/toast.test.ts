// Tests toasts: the caller decides whether something failed, not the words of the text.
import { beforeEach, expect, it } from "vitest";
import {
  showErrorToast,
  showScanToast,
  showTakenToast,
  showToast,
  waitingToasts,
} from "./toast.ts";

beforeEach(() => {
  waitingToasts.take();
});

it("shows an item whose name contains the word Error as saved", () => {
  showToast("Error 404 sign saved");
  showErrorToast("Desk lamp could not be saved");
  showScanToast("Scan ignored here: CAM-1");
  showTakenToast("Added to the list: CAM-1");
  expect(waitingToasts.take().map(({ kind }) => kind)).toEqual(["done", "error", "scan", "taken"]);
});

it("returns each toast once, oldest first", () => {
  showToast("one");
  showToast("two", { undo: () => undefined });
  expect(waitingToasts.take().map(({ message }) => message)).toEqual(["one", "two"]);
  expect(waitingToasts.take()).toEqual([]);
});
