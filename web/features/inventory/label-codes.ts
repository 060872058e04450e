// A barcode as a shape to print: Code 128 where it fits the label and every scanner reads it, else a QR code.
import { barShape, squareShape, type CodeShape } from "#web/shared/code/code-shape.ts";

/** A shape with the width of a module on paper. */
export type FittedCode = CodeShape & {
  readonly kind: "bars" | "square";
  readonly moduleMm: number;
};

const quietModules = 10;
const squareQuietModules = 4;
/** The usual module first; the narrow one is what a 203 dpi printer draws with two dots. */
const barModulesMm = [0.33, 0.25];
const mostSquareModuleMm = 0.5;

/** Scanners type these characters on any keyboard layout; others differ from scanner to scanner. */
const plain = /^[\u0020-\u007e]+$/;

/** Encodes a barcode for a label with this much room. */
export function fittedCode(
  text: string,
  room: { readonly widthMm: number; readonly heightMm: number },
): FittedCode {
  if (plain.test(text)) {
    const bars = barShape(text);
    const moduleMm = barModulesMm.find(
      (width) => (bars.modules + 2 * quietModules) * width <= room.widthMm,
    );
    if (moduleMm !== undefined) {
      return { kind: "bars", ...bars, moduleMm };
    }
  }
  const square = squareShape(text);
  const fit = room.heightMm / (square.modules + 2 * squareQuietModules);
  return { kind: "square", ...square, moduleMm: Math.min(mostSquareModuleMm, fit) };
}
