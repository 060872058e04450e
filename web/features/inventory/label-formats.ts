// The paper that labels are printed on: sheets and rolls, in millimeters as their makers specify them.

export type LabelFormat = {
  readonly id: string;
  readonly name: string;
  readonly pageWidthMm: number;
  readonly pageHeightMm: number;
  readonly columns: number;
  readonly rows: number;
  readonly labelWidthMm: number;
  readonly labelHeightMm: number;
  /** From the page's left and top edge to the first label. */
  readonly leftMm: number;
  readonly topMm: number;
  /** From one label's left edge to the next one's, and from top edge to top edge. */
  readonly pitchXMm: number;
  readonly pitchYMm: number;
};

function roll(id: string, name: string, widthMm: number, heightMm: number): LabelFormat {
  return {
    id,
    name,
    pageWidthMm: widthMm,
    pageHeightMm: heightMm,
    columns: 1,
    rows: 1,
    labelWidthMm: widthMm,
    labelHeightMm: heightMm,
    leftMm: 0,
    topMm: 0,
    pitchXMm: widthMm,
    pitchYMm: heightMm,
  };
}

const avery5160: LabelFormat = {
  id: "avery-5160",
  name: "Avery 5160, Letter, 30 a sheet (2⅝ × 1 in)",
  pageWidthMm: 215.9,
  pageHeightMm: 279.4,
  columns: 3,
  rows: 10,
  labelWidthMm: 66.675,
  labelHeightMm: 25.4,
  leftMm: 4.7625,
  topMm: 12.7,
  pitchXMm: 69.85,
  pitchYMm: 25.4,
};

const averyL7160: LabelFormat = {
  id: "avery-l7160",
  name: "Avery L7160, A4, 21 a sheet (63.5 × 38.1 mm)",
  pageWidthMm: 210,
  pageHeightMm: 297,
  columns: 3,
  rows: 7,
  labelWidthMm: 63.5,
  labelHeightMm: 38.1,
  leftMm: 7.25,
  topMm: 15.15,
  pitchXMm: 66,
  pitchYMm: 38.1,
};

export const labelFormats: readonly [LabelFormat, ...LabelFormat[]] = [
  avery5160,
  averyL7160,
  roll("roll-62", "Roll, 62 mm wide (62 × 29 mm)", 62, 29),
  roll("roll-57", "Roll, 57 × 32 mm", 57, 32),
];

export function labelsOnPage({ columns, rows }: LabelFormat): number {
  return columns * rows;
}

/** The position of the label with this number on its page, counted from 0, row by row. */
export function placeOf(
  format: LabelFormat,
  index: number,
): { readonly leftMm: number; readonly topMm: number } {
  const column = index % format.columns;
  const row = Math.floor(index / format.columns);
  return {
    leftMm: format.leftMm + column * format.pitchXMm,
    topMm: format.topMm + row * format.pitchYMm,
  };
}

/** Labels divided into pages. `skipped` places of the first page are already used and stay empty. */
export function pagesOf<Label>(
  format: LabelFormat,
  labels: readonly Label[],
  skipped: number,
): readonly (readonly (Label | undefined)[])[] {
  const places = [...Array.from({ length: skipped }, () => undefined), ...labels];
  const size = labelsOnPage(format);
  return Array.from({ length: Math.ceil(places.length / size) }, (_, page) =>
    places.slice(page * size, (page + 1) * size),
  );
}
