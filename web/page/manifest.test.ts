// The files that make the app installable: its icons have the sizes that they are listed with, and its colors are tokens.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url));

const manifest = z
  .object({
    theme_color: z.string(),
    background_color: z.string(),
    icons: z.array(z.object({ src: z.string(), sizes: z.string(), purpose: z.string() })),
  })
  .parse(JSON.parse(read("public/manifest.webmanifest").toString()));

const page = read("index.html").toString();
const tokens = read("ui/tokens.css").toString();

/** A color token's values: the light one, then the dark one. */
function colorsOf(token: string): readonly string[] {
  return [...tokens.matchAll(new RegExp(`--color-${token}: (#[0-9a-f]{6});`, "g"))].map(
    ([, color = ""]) => color,
  );
}

/** A PNG's width, height, and whether it can be transparent, from its header. */
function pngFacts(file: Buffer): readonly [string, boolean] {
  return [`${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`, file[25] === 6];
}

describe("the installed app", () => {
  it("has icons of the sizes that browsers ask for, one of them whole to its edges for launchers that cut a shape", () => {
    const pictures = manifest.icons.filter(({ src }) => src.endsWith(".png"));
    const facts = pictures.map(({ src, purpose }) => [...pngFacts(read(`public${src}`)), purpose]);
    expect(facts).toEqual([
      ["192x192", true, "any"],
      ["512x512", true, "any"],
      ["512x512", false, "maskable"],
    ]);
    expect(pictures.map(({ sizes }) => sizes)).toEqual(facts.map(([sizes]) => sizes));
    expect(pngFacts(read("public/apple-touch-icon.png"))).toEqual(["180x180", false]);
  });

  it("has the colors of the design in both themes", () => {
    const [light = "", dark = ""] = colorsOf("surface");
    expect(page).toContain(`<meta name="theme-color" content="${light}" data-dark="${dark}" />`);
    expect(manifest.theme_color).toBe(light);
    expect(manifest.background_color).toBe(colorsOf("bg")[0]);
  });
});
