// The first step of an import: choose a file by click, drop or keyboard, with an example file.
import { Download, FileUp } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { saveText } from "./save-text.ts";

const example = [
  "Item name,Barcode,Quantity,Location,Consignor",
  "Film camera,CAM-1001,2,A-01,",
  "Brass lamp,LMP-2002,1,B-07,avery@example.com",
  "",
].join("\n");

export function ChooseFile({ onFile }: { readonly onFile: (file: File) => void }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is an alternative to the input inside */}
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const file = event.dataTransfer.files[0];
          if (file !== undefined) {
            onFile(file);
          }
        }}
        className={`flex min-h-40 flex-col items-center justify-center gap-2 rounded-card border border-dashed p-6 text-center transition-colors duration-120 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring ${isOver ? "border-accent bg-accent-tint" : "border-border-strong bg-surface"}`}
      >
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-label="CSV file"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file !== undefined) {
              onFile(file);
            }
            // Allows choosing the same file again after it was fixed.
            event.target.value = "";
          }}
          className="sr-only"
        />
        <Icon of={FileUp} size={24} className="text-muted" />
        <span className="font-medium">Choose a CSV file, or drop it here</span>
        <span className="text-12 text-muted">
          The first line names the columns. Item name, barcode and quantity are required.
        </span>
      </label>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-100 text-12 text-muted">
          A barcode that its owner has already gets more units. The same file twice changes nothing.
        </p>
        <Button
          variant="quiet"
          icon={Download}
          onClick={() => saveText("inventory-example.csv", example)}
        >
          Download an example
        </Button>
      </div>
    </>
  );
}
