// Tests which of the till's sales are today's.
import { expect, test } from "vitest";
import { todayIn } from "./till-book.ts";

const at = (day: number, hour: number) => new Date(2026, 10, day, hour);
const sale = (soldAt: Date) => ({ soldAt: soldAt.toISOString() });

test("after midnight the sales of the day before are no longer today's, also if nothing was sold since", () => {
  const book = { from: at(26, 0), sales: [sale(at(26, 18)), sale(at(26, 22))] };
  expect(todayIn(book, at(26, 23))).toEqual({ day: at(26, 0), sales: book.sales });
  expect(todayIn(book, at(27, 0))).toEqual({ day: at(27, 0), sales: [] });
});

test("a sale right after midnight is today's, while the screen's clock is still on the day before", () => {
  const book = { from: at(27, 0), sales: [sale(at(27, 0))] };
  expect(todayIn(book, at(26, 23))).toEqual({ day: at(27, 0), sales: book.sales });
});
