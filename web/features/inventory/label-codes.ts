// A barcode as a shape to print: Code 128 if it fits the label and every scanner can read it, otherwise a QR code.
import { barShape, squareShape, type CodeShape } from "#web/shared/code/code-shape.ts";

/** A shape and the width of one module on paper. */
export type FittedCode = CodeShape & {
  readonly kind: "bars" | "square";
  readonly moduleMm: number;
};

const quietModules = 10;
const squareQuietModules = 4;
/** The usual module first. The narrow one is two dots on a 203 dpi printer. */
const barModulesMm = [0.33, 0.25];
const mostSquareModuleMm = 0.5;

/** Scanners type these characters correctly with any keyboard layout. Others depend on the scanner. */
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
