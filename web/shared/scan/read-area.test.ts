// Tests which pixels of a frame are read: those that the person sees inside the aim.
import { expect, test } from "vitest";
import { readArea } from "./read-area.ts";

test("reads the middle of the visible part of a wide frame, in the frame's own pixels", () => {
  // 4:3 on screen shows 960 of the frame's 1280 pixels in a row, and all 720 rows.
  expect(readArea({ width: 1280, height: 720 }, { width: 400, height: 300 })).toEqual({
    x: 218,
    y: 115,
    width: 845,
    height: 490,
  });
});

test("reads the middle of the visible part of an upright frame", () => {
  expect(readArea({ width: 720, height: 1280 }, { width: 360, height: 270 })).toEqual({
    x: 43,
    y: 457,
    width: 634,
    height: 367,
  });
});

test("reads nothing before the camera's first frame", () => {
  expect(readArea({ width: 0, height: 0 }, { width: 360, height: 270 })).toBeUndefined();
});
