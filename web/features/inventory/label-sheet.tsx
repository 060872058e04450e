// Labels on their pages, drawn in millimeters. The preview is the same drawing as the print, only smaller.
import type { FittedCode } from "./label-codes.ts";
import { pagesOf, placeOf, type LabelFormat } from "./label-formats.ts";
import "./label-sheet.css";

/** The text on one label. */
export type Label = {
  readonly key: string;
  readonly itemName: string;
  readonly barcode: string;
  readonly location: string;
  /** "$12.50"; empty without a tag price. */
  readonly price: string;
  /** A short id of the owner. */
  readonly owner: string;
  readonly code: FittedCode;
};

type LabelSheetProps = {
  readonly format: LabelFormat;
  readonly labels: readonly Label[];
  readonly skipped: number;
};

const mm = (length: number): string => `${length}mm`;

export function LabelSheet({ format, labels, skipped }: LabelSheetProps) {
  return pagesOf(format, labels, skipped).map((page, pageIndex) => (
    <div
      // oxlint-disable-next-line react/no-array-index-key -- a page is its number
      key={pageIndex}
      className="label-page"
      style={{ width: mm(format.pageWidthMm), height: mm(format.pageHeightMm) }}
    >
      {page.map((label, index) => {
        const { leftMm, topMm } = placeOf(format, index);
        const place = {
          left: mm(leftMm),
          top: mm(topMm),
          width: mm(format.labelWidthMm),
          height: mm(format.labelHeightMm),
        };
        return label === undefined ? (
          // oxlint-disable-next-line react/no-array-index-key -- an empty place is its number
          <div key={index} className="label label-skipped" style={place} />
        ) : (
          <LabelFace key={label.key} label={label} style={place} />
        );
      })}
    </div>
  ));
}

function LabelFace({
  label,
  style,
}: {
  readonly label: Label;
  readonly style: Readonly<Record<string, string>>;
}) {
  const { code } = label;
  const facts = [label.location, label.owner].filter((fact) => fact !== "").join(" · ");
  return (
    <div className={`label ${code.kind === "square" ? "label-beside" : ""}`} style={style}>
      {code.kind === "square" ? <Code label={label} /> : null}
      <div className="label-words">
        <p className="label-name">{label.itemName}</p>
        {code.kind === "bars" ? <Code label={label} /> : null}
        <p className="label-line">
          <span className="label-code">{label.barcode}</span>
          {facts === "" ? null : <span className="label-facts">{facts}</span>}
          {label.price === "" ? null : <span className="label-price">{label.price}</span>}
        </p>
      </div>
    </div>
  );
}

/** Only the shape. The code's text is printed next to it. */
function Code({ label: { code } }: { readonly label: Label }) {
  const side = mm(code.modules * code.moduleMm);
  return code.kind === "bars" ? (
    <svg
      aria-hidden="true"
      className="label-bars"
      viewBox={`0 0 ${code.modules} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      style={{ width: side }}
    >
      <path d={code.path} />
    </svg>
  ) : (
    <svg
      aria-hidden="true"
      className="label-square"
      viewBox={`0 0 ${code.modules} ${code.modules}`}
      shapeRendering="crispEdges"
      // The encoder's y axis points up.
      style={{ width: side, height: side, transform: "scaleY(-1)" }}
    >
      <path d={code.path} fillRule="evenodd" />
    </svg>
  );
}
