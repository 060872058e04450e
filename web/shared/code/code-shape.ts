// Barcodes and QR codes as shapes to draw. The encoder is large, so load this only where a code is shown.
import { code128, qrcode } from "bwip-js/generic";

export type CodeShape = {
  /** An SVG path in which one unit is one module. Bars are one unit high; in squares the y axis points up. */
  readonly path: string;
  /** Modules across, without the quiet zone. */
  readonly modules: number;
};

/** Collects what the encoder draws: bars as thick lines, squares as polygons. */
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
      // Neither kind of code uses this.
    },
    ellipse() {
      // Neither kind of code uses this.
    },
    fill() {
      // The drawing is a single path.
    },
    text() {
      // The label prints the code's text itself.
    },
    end: () => ({ path: parts.join(""), modules: width }),
  };
}

/** Code 128; `text` is plain ASCII. */
export function barShape(text: string): CodeShape {
  return code128({ bcid: "code128", text, scale: 1, height: 1 }, pathDrawing());
}

/** A QR code of any text, as UTF-8. */
export function squareShape(text: string): CodeShape {
  return qrcode({ bcid: "qrcode", text, scale: 1 }, pathDrawing());
}
