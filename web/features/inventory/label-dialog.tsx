// Chooses paper and number of labels, previews the first page, and prints from this browser.
import { useEffect, useRef, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import * as z from "zod/mini";
import type { InventoryItem } from "#features/inventory/contract.ts";
import { parseWhole } from "#web/lib/amount.ts";
import { noErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { localValue } from "#web/lib/local-store.ts";
import { useIsPhone } from "#web/lib/use-media.ts";
import { Button } from "#web/ui/button.tsx";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { Select } from "#web/ui/select.tsx";
import { labelFormats, labelsOnPage, type LabelFormat } from "./label-formats.ts";
import { LabelSheet, type Label } from "./label-sheet.tsx";
import { makeLabels, maxLabels, totalLabels, type LabelCount } from "./label-work.ts";

type LabelDialogProps = {
  readonly items: readonly InventoryItem[];
  readonly onClose: () => void;
};

const lastPaper = localValue<string>("labelPaper", z.string(), labelFormats[0].id);
const paperChoices = labelFormats.map(({ id, name }) => ({ value: id, label: name }));

/** The fields as typed. */
type Typed = {
  readonly paper: string;
  readonly kind: LabelCount["kind"];
  readonly each: string;
  /** The first unused label on the sheet, counted from 1. */
  readonly first: string;
};

/** The parsed fields; `errors` holds what could not be parsed. */
type LabelInput = {
  readonly count: LabelCount;
  readonly skipped: number;
  readonly total: number;
  readonly errors: FieldErrors;
};

function inputOf(items: readonly InventoryItem[], format: LabelFormat, typed: Typed): LabelInput {
  const each = parseWhole(typed.each) ?? 0;
  const places = labelsOnPage(format);
  const first = places === 1 ? 1 : (parseWhole(typed.first) ?? 0);
  const count: LabelCount =
    typed.kind === "units" ? { kind: "units" } : { kind: "each", count: each };
  const total = totalLabels(items, count);
  const errors = {
    ...(typed.kind === "each" && each < 1
      ? { each: "Please enter a whole number, at least 1" }
      : {}),
    ...(first < 1 || first > places
      ? { first: `Please enter a whole number, 1 to ${places}` }
      : {}),
    ...(total > maxLabels
      ? { total: `At most ${formatCount(maxLabels)} labels at once. Select fewer items.` }
      : {}),
    ...(typed.kind === "units" && total === 0
      ? { total: "None of these has a unit in stock." }
      : {}),
  };
  return { count, skipped: Math.max(0, first - 1), total, errors };
}

/** The first labels, for the preview. Created again when the paper or the number changes. */
function useFirstLabels(
  items: readonly InventoryItem[],
  format: LabelFormat,
  count: LabelCount,
): readonly Label[] | undefined {
  const [labels, setLabels] = useState<readonly Label[]>();
  const each = count.kind === "each" ? count.count : undefined;
  useEffect(() => {
    const control = new AbortController();
    const wanted: LabelCount =
      each === undefined ? { kind: "units" } : { kind: "each", count: each };
    const options = { most: labelsOnPage(format), signal: control.signal };
    void makeLabels(items, format, wanted, options).then((made) =>
      control.signal.aborted ? undefined : setLabels(made),
    );
    return () => control.abort();
  }, [items, format, each]);
  return labels;
}

/** The page size for the printer. A style sheet created by script passes the content security policy. */
function useLabelPage({ pageWidthMm, pageHeightMm }: LabelFormat): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@page { size: ${pageWidthMm}mm ${pageHeightMm}mm; margin: 0 }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [pageWidthMm, pageHeightMm]);
}

export function LabelDialog({ items, onClose }: LabelDialogProps) {
  const [typed, setTyped] = useState<Typed>(() => ({
    paper: lastPaper.read(),
    kind: "units",
    each: "1",
    first: "1",
  }));
  const [printing, setPrinting] = useState<readonly Label[]>();
  const [isPreparing, setPreparing] = useState(false);
  const format = labelFormats.find(({ id }) => id === typed.paper) ?? labelFormats[0];
  const input = inputOf(items, format, typed);
  const { errors, skipped, total, count } = input;
  const preview = useFirstLabels(items, format, count);
  const isReady = Object.keys(errors).length === 0;
  const pages = Math.ceil((total + skipped) / labelsOnPage(format));
  useLabelPage(format);
  const preparing = useRef<AbortController>(undefined);
  useEffect(() => () => preparing.current?.abort(), []);
  useEffect(() => {
    const clear = () => setPrinting(undefined);
    addEventListener("afterprint", clear);
    return () => removeEventListener("afterprint", clear);
  }, []);

  async function print(): Promise<void> {
    if (!isReady || isPreparing) {
      return;
    }
    setPreparing(true);
    lastPaper.write(format.id);
    preparing.current = new AbortController();
    const { signal } = preparing.current;
    const labels = await makeLabels(items, format, count, { most: maxLabels, signal });
    if (signal.aborted) {
      // The dialog was closed: the page behind it would be printed.
      return;
    }
    // The browser prints the page as it is at this moment.
    flushSync(() => {
      setPrinting(labels);
      setPreparing(false);
    });
    globalThis.print();
  }

  return (
    <Dialog
      title="Print labels"
      description={`${formatQuantity(items.length, "item")}, ${formatQuantity(total, "label")}${labelsOnPage(format) === 1 ? "" : ` on ${formatQuantity(pages, "sheet")}`}`}
      isWide
      onClose={onClose}
      onSubmit={() => void print()}
      errors={noErrors}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            type="submit"
            variant="primary"
            isBusy={isPreparing}
            busyLabel="Preparing..."
            disabled={!isReady}
          >
            {`Print ${formatQuantity(total, "label")}`}
          </Button>
        </>
      }
    >
      <LabelFields typed={typed} onTyped={setTyped} format={format} errors={errors} />
      <Preview format={format} labels={preview} skipped={isReady ? skipped : 0} />
      <p className="text-12 text-muted">
        In the printer's settings, choose this paper, 100% and no margins.
      </p>
      {printing === undefined
        ? null
        : createPortal(
            <div className="label-print">
              <LabelSheet format={format} labels={printing} skipped={skipped} />
            </div>,
            document.body,
          )}
    </Dialog>
  );
}

type LabelFieldsProps = {
  readonly typed: Typed;
  readonly onTyped: (typed: Typed) => void;
  readonly format: LabelFormat;
  readonly errors: FieldErrors;
};

function LabelFields({ typed, onTyped, format, errors }: LabelFieldsProps) {
  return (
    <>
      <Field label="Paper" error={errors["total"]}>
        {(control) => (
          <Select
            {...control}
            value={format.id}
            onValue={(paper) => onTyped({ ...typed, paper })}
            choices={paperChoices}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <ChoiceGroup
          label="Labels"
          value={typed.kind}
          onValue={(kind) => onTyped({ ...typed, kind })}
          choices={[
            { value: "units", label: "One per unit" },
            { value: "each", label: "Same for each" },
          ]}
        />
        {typed.kind === "units" ? null : (
          <Field label="Labels per item" error={errors["each"]}>
            {(control) => (
              <NumberInput
                {...control}
                value={typed.each}
                onValue={(each) => onTyped({ ...typed, each })}
              />
            )}
          </Field>
        )}
        {labelsOnPage(format) === 1 ? null : (
          <Field
            label="Begin at label"
            error={errors["first"]}
            help="For a sheet that is partly used"
          >
            {(control) => (
              <NumberInput
                {...control}
                value={typed.first}
                onValue={(first) => onTyped({ ...typed, first })}
              />
            )}
          </Field>
        )}
      </div>
    </>
  );
}

const previewPx = 564;
const phonePreviewPx = 300;
const pxPerMm = 96 / 25.4;

/** The first page, scaled to fit. Of a sheet, only the upper part is shown. */
function Preview({
  format,
  labels,
  skipped,
}: {
  readonly format: LabelFormat;
  readonly labels: readonly Label[] | undefined;
  readonly skipped: number;
}) {
  const widthPx = useIsPhone() ? phonePreviewPx : previewPx;
  const zoom = Math.min(1, widthPx / (format.pageWidthMm * pxPerMm));
  return (
    <section
      aria-label="Preview of the first page"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
      tabIndex={0}
      className="label-preview max-h-64 overflow-auto rounded-card border border-border bg-bg p-3"
    >
      <div className="mx-auto w-fit" style={{ zoom }}>
        {labels === undefined ? (
          <div style={{ width: `${format.pageWidthMm}mm`, height: `${format.labelHeightMm}mm` }} />
        ) : (
          <LabelSheet
            format={format}
            labels={labels.slice(0, labelsOnPage(format) - skipped)}
            skipped={skipped}
          />
        )}
      </div>
    </section>
  );
}
