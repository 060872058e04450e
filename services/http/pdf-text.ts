// Text on a page of a PDF in Inter, measured and wrapped; each run uses the font file that has its letters.
import { createRequire } from "node:module";

type Doc = PDFKit.PDFDocument;

export type Weight = 400 | 600;
export type TextStyle = { readonly size: number; readonly weight: Weight };

export type PdfText = {
  readonly widthOf: (text: string, style: TextStyle) => number;
  /** Draws one line with its top at `y`; `end` is the right edge of a right-aligned line. */
  readonly draw: (text: string, style: TextStyle, at: TextPlace) => void;
  /** The lines of a text in this width; words longer than that are cut. */
  readonly wrap: (text: string, style: TextStyle, width: number) => readonly string[];
};

type TextPlace = { readonly y: number } & ({ readonly x: number } | { readonly end: number });

const resolve = createRequire(import.meta.url).resolve;

const UNUSED_FEATURES = "calt ccmp clig kern liga locl mark mkmk rclt rlig".split(" ");

/**
 * A fixed width for digits, so that amounts line up. All other layout features are off: they take thirty times as
 * long and would make a letter's width depend on its neighbors. The types only know lists of features, and a list
 * cannot turn one off.
 */
const LAYOUT: object = {
  features: {
    tnum: true,
    ...Object.fromEntries(UNUSED_FEATURES.map((feature) => [feature, false])),
  },
};

/** Inter's files, most likely first, each with the characters that it has. */
const SCRIPTS: readonly { readonly name: string; readonly has: RegExp }[] = [
  {
    name: "latin",
    has: /[\u0020-\u007e\u00a0-\u00ff\u0131\u0152\u0153\u02c6\u02da\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u20ac\u2122\u2212]/u,
  },
  { name: "latin-ext", has: /[\u0100-\u0130\u0132-\u0151\u0154-\u017f\u0218-\u021b\u1e9e]/u },
  { name: "vietnamese", has: /[\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9\u20ab]/u },
  { name: "cyrillic", has: /[\u0400-\u045f\u0490\u0491\u04b0\u04b1\u2116]/u },
  { name: "greek", has: /[\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce]/u },
];
/** Replaces what no file has: other scripts, emoji. */
const UNKNOWN = "?";

type Run = { readonly script: string; text: string };

/** Composed, on one line, and in runs of one font file each. */
function runsOf(text: string): readonly Run[] {
  const runs: Run[] = [];
  for (const character of text.normalize("NFC").replaceAll(/\s+/gu, " ")) {
    const script = SCRIPTS.find(({ has }) => has.test(character));
    const last = runs.at(-1);
    const name = script?.name ?? "latin";
    const drawn = script === undefined ? UNKNOWN : character;
    if (last?.script === name) {
      last.text += drawn;
    } else {
      runs.push({ script: name, text: drawn });
    }
  }
  return runs;
}

export function pdfText(doc: Doc): PdfText {
  const files = new Map<string, string>();
  function use(script: string, { size, weight }: TextStyle): void {
    const name = `${script}-${weight}`;
    const file = files.get(name) ?? resolve(`@fontsource/inter/files/inter-${name}-normal.woff`);
    files.set(name, file);
    doc.font(file, size);
  }
  /** Width of each character at size 1, by font file. */
  const widths = new Map<string, number>();
  function widthOfRun({ script, text }: Run, style: TextStyle): number {
    let width = 0;
    for (const character of text) {
      const key = `${script} ${style.weight} ${character}`;
      let one = widths.get(key);
      if (one === undefined) {
        use(script, { ...style, size: 1 });
        one = doc.widthOfString(character, LAYOUT);
        widths.set(key, one);
      }
      width += one;
    }
    return width * style.size;
  }
  function widthOf(text: string, style: TextStyle): number {
    return runsOf(text).reduce((width, run) => width + widthOfRun(run, style), 0);
  }
  function cut(word: string, style: TextStyle, width: number): string[] {
    const pieces = [""];
    for (const character of word) {
      const longer = `${pieces.at(-1) ?? ""}${character}`;
      if (longer.length > 1 && widthOf(longer, style) > width) {
        pieces.push(character);
      } else {
        pieces[pieces.length - 1] = longer;
      }
    }
    return pieces;
  }
  return {
    widthOf,
    draw(text, style, at) {
      let x = "x" in at ? at.x : at.end - widthOf(text, style);
      for (const run of runsOf(text)) {
        use(run.script, style);
        doc.text(run.text, x, at.y, { lineBreak: false, ...LAYOUT });
        x += widthOfRun(run, style);
      }
    },
    wrap(text, style, width) {
      const lines: string[] = [];
      let line = "";
      const words = text
        .trim()
        .split(/\s+/u)
        .flatMap((word) => (widthOf(word, style) > width ? cut(word, style, width) : [word]));
      for (const word of words) {
        const longer = line === "" ? word : `${line} ${word}`;
        if (line !== "" && widthOf(longer, style) > width) {
          lines.push(line);
          line = word;
        } else {
          line = longer;
        }
      }
      return [...lines, line];
    },
  };
}
