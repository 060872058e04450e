// A QR code on screen, dark on light in both themes, with the margin that cameras need. Load it where it is shown.
import { useMemo } from "react";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { squareShape } from "#web/shared/code/code-shape.ts";

type SquareCodeProps = {
  readonly text: string;
  /** What the link opens, for screen readers. */
  readonly label: string;
};

const quietModules = 4;

export function SquareCode({ text, label }: SquareCodeProps) {
  const { path, modules } = useMemo(() => squareShape(text), [text]);
  const side = modules + 2 * quietModules;
  return (
    <figure
      aria-label={withIsolatedNames(label)}
      className="w-fit overflow-hidden rounded-card"
      style={{ background: "white", color: "black" }}
    >
      <svg
        aria-hidden="true"
        viewBox={`${-quietModules} ${-quietModules} ${side} ${side}`}
        shapeRendering="crispEdges"
        // The encoder's y axis points up.
        className="size-60 -scale-y-100 fill-current"
      >
        <path d={path} fillRule="evenodd" />
      </svg>
    </figure>
  );
}
