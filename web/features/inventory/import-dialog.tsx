// Imports a stock list: choose a file, match its columns, review what would happen, import it.
import { useEffect, useRef, useState } from "react";
import { asApiError } from "#web/lib/api-error.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { afterFrames } from "#web/ui/after-frames.ts";
import { focusHeading, isFocusLost } from "#web/ui/focus-heading.ts";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { ChooseFile } from "./import-choose.tsx";
import { ImportColumns } from "./import-columns.tsx";
import { FileFault, readStockFile, type StockFile } from "./import-file.ts";
import { firstReading, inputIn, type Reading } from "./import-reading.ts";
import { ImportForecastView, ImportResultView } from "./import-report.tsx";
import {
  bringIn,
  forecast,
  rowsToBringIn,
  type ImportDone,
  type ImportForecast,
  type ImportInput,
} from "./import-run.ts";
import { ProgressLine } from "#web/ui/progress-line.tsx";

type Step =
  | { readonly kind: "choose" }
  | { readonly kind: "columns" }
  | { readonly kind: "checking"; readonly answered: number }
  | { readonly kind: "checked"; readonly input: ImportInput; readonly forecast: ImportForecast }
  | { readonly kind: "running"; readonly answered: number; readonly total: number }
  | {
      readonly kind: "ended";
      readonly input: ImportInput;
      readonly forecast: ImportForecast;
      readonly done: ImportDone;
      readonly total: number;
    };

const nothingYet: ImportDone = { imported: 0, repeated: 0, refused: [], answered: 0 };

function faultText(error: unknown): string {
  return error instanceof FileFault
    ? error.message
    : `Error importing: ${asApiError(error).message}`;
}

function useImport() {
  const [step, setStep] = useState<Step>({ kind: "choose" });
  const [file, setFile] = useState<StockFile>();
  const [reading, setReading] = useState<Reading>();
  const [fault, setFault] = useState<string>();
  const control = useRef(new AbortController());
  useEffect(() => () => control.current.abort(), []);
  const last = useRef<File>(undefined);

  async function choose(chosen: File): Promise<void> {
    last.current = chosen;
    setFault(undefined);
    const found = await readStockFile(chosen).catch(faultText);
    if (last.current !== chosen) {
      // Another one was chosen meanwhile, and may have been read sooner.
      return;
    }
    if (typeof found === "string") {
      setFault(found);
    } else {
      setFile(found);
      setReading(firstReading(found));
      setStep({ kind: "columns" });
    }
  }

  async function check(input: ImportInput): Promise<void> {
    setFault(undefined);
    control.current = new AbortController();
    const { signal } = control.current;
    setStep({ kind: "checking", answered: 0 });
    try {
      const onAnswered = (answered: number) => setStep({ kind: "checking", answered });
      const found = await forecast(input, { onAnswered, signal });
      setStep(signal.aborted ? { kind: "columns" } : { kind: "checked", input, forecast: found });
    } catch (error) {
      setFault(faultText(error));
      setStep({ kind: "columns" });
    }
  }

  async function run(input: ImportInput, found: ImportForecast, before: ImportDone): Promise<void> {
    setFault(undefined);
    control.current = new AbortController();
    const { signal } = control.current;
    const rows = rowsToBringIn(input.file, found);
    const total = rows.length;
    setStep({ kind: "running", answered: before.answered, total });
    const onAnswered = (answered: number) => setStep({ kind: "running", answered, total });
    const { done, failure } = await bringIn(input, rows, before, { onAnswered, signal });
    setFault(failure === undefined ? undefined : faultText(failure));
    setStep({ kind: "ended", input, forecast: found, done, total });
  }

  return {
    step,
    file,
    reading,
    setReading,
    fault,
    choose,
    check,
    run,
    stop: () => control.current.abort(),
    goTo: (next: "choose" | "columns") => {
      setFault(undefined);
      setStep({ kind: next });
    },
  };
}

type ImportFlow = ReturnType<typeof useImport>;

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const flow = useImport();
  const { step, file } = flow;
  // Each step is a dialog of its own, so that the last one does not know what had the focus before the first.
  useEffect(() => () => afterFrames(2, () => (isFocusLost() ? focusHeading() : undefined)), []);
  const isBusy = step.kind === "checking" || step.kind === "running";
  return (
    <Dialog
      // Each step starts with the focus on its first control.
      key={step.kind}
      title="Import CSV"
      description={descriptionOf(flow)}
      isWide
      isBusy={isBusy}
      onClose={onClose}
      footer={<Footer flow={flow} onClose={onClose} />}
    >
      {step.kind === "choose" ? <ChooseFile onFile={(chosen) => void flow.choose(chosen)} /> : null}
      {step.kind === "columns" && file !== undefined && flow.reading !== undefined ? (
        <ImportColumns file={file} reading={flow.reading} onReading={flow.setReading} />
      ) : null}
      {step.kind === "checking" ? (
        <ProgressLine
          done={step.answered}
          total={file?.rows.length ?? 0}
          label={`${formatCount(step.answered)} of ${formatQuantity(file?.rows.length ?? 0, "line")} checked`}
        />
      ) : null}
      {step.kind === "checked" ? (
        <ImportForecastView forecast={step.forecast} file={step.input.file} />
      ) : null}
      {step.kind === "running" ? (
        <ProgressLine
          done={step.answered}
          total={step.total}
          label={`${formatCount(step.answered)} of ${formatQuantity(step.total, "line")} imported`}
        />
      ) : null}
      {step.kind === "ended" ? (
        <ImportResultView
          done={step.done}
          forecast={step.forecast}
          file={step.input.file}
          total={step.total}
        />
      ) : null}
      <ErrorLine>{flow.fault}</ErrorLine>
    </Dialog>
  );
}

function descriptionOf({ step, file }: ImportFlow): string {
  if (step.kind === "choose" || file === undefined) {
    return "A list of stock from a spreadsheet. You review the changes before anything is saved.";
  }
  const name = `${file.name}, ${formatQuantity(file.rows.length, "line")}`;
  return step.kind === "columns" ? `${name}. Check what each column is.` : name;
}

function Footer({ flow, onClose }: { readonly flow: ImportFlow; readonly onClose: () => void }) {
  const { step, file, reading } = flow;
  switch (step.kind) {
    case "choose": {
      return <Button onClick={onClose}>Cancel</Button>;
    }
    case "columns": {
      const input =
        file === undefined || reading === undefined ? undefined : inputIn(file, reading);
      return (
        <>
          <Button onClick={() => flow.goTo("choose")}>Choose another file</Button>
          <Button
            variant="primary"
            disabled={input === undefined}
            onClick={() => (input === undefined ? undefined : void flow.check(input))}
          >
            Check the lines
          </Button>
        </>
      );
    }
    case "checked": {
      const count = rowsToBringIn(step.input.file, step.forecast).length;
      return (
        <>
          <Button onClick={() => flow.goTo("columns")}>Back to columns</Button>
          <Button
            variant="primary"
            disabled={count === 0}
            onClick={() => void flow.run(step.input, step.forecast, nothingYet)}
          >
            {`Import ${formatQuantity(count, "line")}`}
          </Button>
        </>
      );
    }
    case "ended": {
      const { input, forecast: found, done, total } = step;
      return (
        <>
          {done.answered < total ? (
            <Button onClick={onClose}>Close</Button>
          ) : (
            <Button onClick={() => flow.goTo("choose")}>Import another file</Button>
          )}
          <Button
            variant="primary"
            onClick={() => (done.answered < total ? void flow.run(input, found, done) : onClose())}
          >
            {done.answered < total ? "Continue" : "Done"}
          </Button>
        </>
      );
    }
    default: {
      return <Button onClick={flow.stop}>Stop</Button>;
    }
  }
}
