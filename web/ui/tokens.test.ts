// Computes the contrasts of the design's tokens from tokens.css, so that no color change goes unnoticed.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Palette = Readonly<Record<string, string>>;

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

function paletteOf(block: string): Palette {
  return Object.fromEntries(
    [...block.matchAll(/--color-([a-z0-9-]+):\s*(#[0-9a-f]{6});/g)].map((match) => [
      match[1] ?? "",
      match[2] ?? "",
    ]),
  );
}

function blockAfter(selector: string): string {
  const start = css.indexOf(`${selector} {`);
  return css.slice(start, css.indexOf("\n}", start));
}

const light = paletteOf(blockAfter("@theme"));
const dark = paletteOf(blockAfter('[data-theme="dark"]'));

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(palette: Palette, front: string, back: string): number {
  const [frontHex, backHex] = [palette[front], palette[back]];
  if (frontHex === undefined || backHex === undefined) {
    throw new Error(`no such token: ${front} or ${back}`);
  }
  const [low = 0, high = 0] = [luminance(frontHex), luminance(backHex)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const grounds = ["bg", "surface", "raised", "fill", "hover", "accent-tint"];

function lowest(palette: Palette, front: string, backs: readonly string[] = grounds): number {
  return Math.min(...backs.map((back) => contrast(palette, front, back)));
}

describe.each([
  { theme: "light", palette: light },
  { theme: "dark", palette: dark },
])("in the $theme theme", ({ palette }) => {
  it.each(["text", "muted", "faint", "accent", "credit", "pending", "danger"])(
    "%s can be read on every ground (4.5:1)",
    (token) => {
      expect(lowest(palette, token)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each(["credit", "pending", "danger"])("%s is readable on its own tint (4.5:1)", (token) => {
    expect(contrast(palette, token, `${token}-tint`)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["accent", "accent-hover", "danger", "danger-hover"])(
    "a button's words can be read on %s (4.5:1)",
    (token) => {
      expect(contrast(palette, "on-accent", token)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it("controls and focus stand out from their surroundings (3:1)", () => {
    expect(lowest(palette, "border-strong", ["bg", "surface", "fill", "hover"])).toBeGreaterThan(
      2.95,
    );
    expect(lowest(palette, "ring")).toBeGreaterThanOrEqual(3);
  });

  it("the first chart line stands out from its card (3:1)", () => {
    expect(contrast(palette, "chart-1", "surface")).toBeGreaterThanOrEqual(3);
  });
});

describe("the computed contrasts of the design page", () => {
  it.each([
    { token: "text", onLight: 15, onDark: 12 },
    { token: "muted", onLight: 6.7, onDark: 6.5 },
    { token: "faint", onLight: 4.8, onDark: 4.9 },
    { token: "accent", onLight: 6.1, onDark: 5.7 },
    { token: "credit", onLight: 5.6, onDark: 8 },
    { token: "pending", onLight: 5.3, onDark: 8.3 },
    { token: "danger", onLight: 5.7, onDark: 5.9 },
  ])("$token keeps at least what was measured", ({ token, onLight, onDark }) => {
    const measured = ["bg", "surface", "fill", "hover", "accent-tint"];
    expect(lowest(light, token, measured)).toBeGreaterThanOrEqual(onLight - 0.05);
    expect(lowest(dark, token, measured)).toBeGreaterThanOrEqual(onDark - 0.05);
  });

  it("the dark theme defines every color that the light theme defines", () => {
    expect(Object.keys(dark).sort()).toEqual(Object.keys(light).sort());
  });
});

it("a button of the dark theme can be read on paper", () => {
  const print = paletteOf(css.slice(css.indexOf("@media print")));
  expect(contrast({ ...dark, ...print }, "on-accent", "accent")).toBeGreaterThan(4.5);
});
