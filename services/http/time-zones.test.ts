// A time zone goes by its older and its newer name; what is not a region's name is refused.
import { expect, it } from "vitest";
import { isTimeZone } from "#http/time-zones.ts";

it.each([
  "America/Chicago",
  "Asia/Calcutta",
  "Asia/Kolkata",
  "Europe/Kyiv",
  "Asia/Ho_Chi_Minh",
  "America/Argentina/Buenos_Aires",
  "America/Port-au-Prince",
  "UTC",
])("takes %s", (name) => {
  expect(isTimeZone(name)).toBe(true);
});

it.each(["", "Mars/Olympus", "+05:30", "EST5EDT", "asia/kolkata", "Asia/Kolkata ", "Local"])(
  "refuses %j",
  (name) => {
    expect(isTimeZone(name)).toBe(false);
  },
);
