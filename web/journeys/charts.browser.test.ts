// The kit's charts in a real browser: as wide as the room allows, in both themes, with the same numbers in a table.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharedChromium } from "#testing/browser/chromium.ts";
import { problemsOf } from "#testing/browser/look-at.ts";
import { sized } from "#testing/trial/size.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
};

let folder: string;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "charts-"));
  const root = fileURLToPath(new URL("..", import.meta.url));
  await build({
    configFile: false,
    root,
    logLevel: "error",
    plugins: [react(), tailwindcss()],
    build: {
      outDir: folder,
      target: "es2023",
      minify: false,
      cssMinify: false,
      reportCompressedSize: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: path.join(root, "journeys/chart-page.html") },
    },
  });
  const browser = await sharedChromium();
  page = await browser.newPage({ locale: "en-US" });
  await page.route("**/*", async (route) => {
    const asked = new URL(route.request().url()).pathname;
    await route.fulfill({
      body: await readFile(path.join(folder, asked)),
      contentType: types[path.extname(asked)] ?? "text/plain",
    });
  });
  await page.goto("http://charts.test/journeys/chart-page.html");
  await page.getByRole("img", { name: "Sales per day, as a chart" }).waitFor();
  await page.getByRole("img", { name: "Available over time, as a chart" }).waitFor();
}, 120_000);

afterAll(async () => {
  await page.close();
  await rm(folder, { recursive: true, force: true });
});

async function show(width: number, theme: "light" | "dark"): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(async (name) => {
    document.documentElement.dataset["theme"] = name;
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }, theme);
}

it("draws a bar for each day, up from the zero line and down for refunds, and names the day under the pointer", async () => {
  await show(1280, "light");
  const section = page.getByRole("region", { name: "Bars" });
  const chart = section.getByRole("img");
  const bars = chart.locator("rect");
  await expect.poll(() => bars.count()).toBe(30);
  const boxes = await bars.evaluateAll((all) =>
    all.map((bar) => {
      const { x, y, width, height } = (bar as SVGRectElement).getBBox();
      return { x, width, height, top: y, bottom: y + height };
    }),
  );
  const zero = boxes[0]?.bottom ?? 0;
  expect(boxes[4]?.height).toBe(0);
  expect(boxes[9]?.top).toBeCloseTo(zero, 1);
  expect(boxes[9]?.bottom).toBeGreaterThan(zero);
  expect(boxes.every(({ width }) => width > 20)).toBe(true);
  await bars.nth(9).hover();
  await section.getByText("−$120.50").first().waitFor();
  await section.getByText("10 Nov", { exact: true }).first().waitFor();
  await page.mouse.move(0, 0);
});

it("has the same numbers in a table, newest day first, and says so if there are none", async () => {
  await show(1280, "light");
  const section = page.getByRole("region", { name: "Bars" });
  await section.getByText("Show as a table").click();
  const rows = section.getByRole("table", { name: "Sales per day" }).getByRole("row");
  await expect.poll(() => rows.nth(1).innerText()).toMatch(/30 Nov\s+\$/u);
  await expect.poll(() => rows.nth(21).innerText()).toMatch(/10 Nov\s+−\$120\.50/u);
  await expect.poll(() => rows.first().innerText()).toMatch(/^Day\s/u);
  const months = page.getByRole("region", { name: "No bars" });
  await months.getByText("Nothing in these months.").waitFor();
});

const views = [
  [1280, "light"],
  [360, "dark"],
  [1280, "dark"],
  [360, "light"],
] as const;

it.each(views.slice(0, sized(2, 4)))(
  "has no axe violations at %i px, %s, and its labels do not overlap",
  async (width, theme) => {
    await show(width, theme);
    expect(await problemsOf(page)).toEqual([]);
    const overlaps = await page.getByRole("img").evaluateAll((charts) =>
      charts.flatMap((chart) => {
        const boxes = Array.from(chart.querySelectorAll("text"), (text) =>
          text.getBoundingClientRect(),
        );
        const frame = chart.getBoundingClientRect();
        return boxes.filter(
          (box, index) =>
            box.right > frame.right + 1 ||
            box.left < frame.left - 1 ||
            boxes.some(
              (other, place) =>
                place > index &&
                box.left < other.right &&
                other.left < box.right &&
                box.top < other.bottom - 2 &&
                other.top < box.bottom - 2,
            ),
        );
      }),
    );
    expect(overlaps).toEqual([]);
  },
);
