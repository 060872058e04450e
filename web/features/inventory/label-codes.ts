// A barcode as a shape to print: Code 128 where it fits the label and every scanner reads it, else a QR code.
import { code128, qrcode } from "bwip-js/generic";

export type CodeShape = {
  readonly kind: "bars" | "square";
  /** An SVG path; one unit is one module. */
  readonly path: string;
  /** Modules across, without the quiet zone. */
  readonly modules: number;
};

/** A shape with the width of a module on paper. */
export type FittedCode = CodeShape & { readonly moduleMm: number };

const quietModules = 10;
const squareQuietModules = 4;
/** The usual module first; the narrow one is what a 203 dpi printer draws with two dots. */
const barModulesMm = [0.33, 0.25];
const mostSquareModuleMm = 0.5;

/** Scanners type these characters on any keyboard layout; others differ from scanner to scanner. */
const plain = /^[\u0020-\u007e]+$/;

/** Collects what the encoder draws; bars come as thick lines, squares as polygons. */
function pathDrawing() {
  const parts: string[] = [];
  let width = 0;
  return {
    scale: (): [number, number] => [1, 1],
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init(pixelWidth: number) {
      width = pixelWidth;
    },
    line(x: number, _y: number, _x1: number, _y1: number, lineWidth: number) {
      parts.push(`M${x - Math.ceil(lineWidth / 2)} 0h${lineWidth}v1h-${lineWidth}z`);
    },
    polygon(points: [number, number][]) {
      parts.push(`M${points.map((point) => point.join(" ")).join("L")}z`);
    },
    hexagon() {
      // Neither code has any.
    },
    ellipse() {
      // Neither code has any.
    },
    fill() {
      // All of it is one path.
    },
    text() {
      // The label says the code in letters of its own.
    },
    end: () => ({ path: parts.join(""), modules: width }),
  };
}

/** Encodes a barcode for a label with this much room. */
export function fittedCode(
  text: string,
  room: { readonly widthMm: number; readonly heightMm: number },
): FittedCode {
  if (plain.test(text)) {
    const bars = code128({ bcid: "code128", text, scale: 1, height: 1 }, pathDrawing());
    const moduleMm = barModulesMm.find(
      (width) => (bars.modules + 2 * quietModules) * width <= room.widthMm,
    );
    if (moduleMm !== undefined) {
      return { kind: "bars", ...bars, moduleMm };
    }
  }
  const square = qrcode({ bcid: "qrcode", text, scale: 1 }, pathDrawing());
  const fit = room.heightMm / (square.modules + 2 * squareQuietModules);
  return { kind: "square", ...square, moduleMm: Math.min(mostSquareModuleMm, fit) };
}
