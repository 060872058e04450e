// The first step of an import: choose a file by click, drop or keyboard, with an example file.
import { Download, FileUp } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { FileDrop } from "#web/ui/file-drop.tsx";
import { saveText } from "./save-text.ts";

const example = [
  "Item name,Barcode,Quantity,Location,Consignor",
  "Film camera,CAM-1001,2,A-01,",
  "Brass lamp,LMP-2002,1,B-07,avery@example.com",
  "",
].join("\n");

export function ChooseFile({ onFile }: { readonly onFile: (file: File) => void }) {
  return (
    <>
      <FileDrop
        label="CSV file"
        accept=".csv,.tsv,.txt,text/csv"
        icon={FileUp}
        prompt="Choose a CSV file, or drop it here"
        onFile={onFile}
      >
        <span className="text-12 text-muted">
          The first line names the columns. Item name, barcode and quantity are required.
        </span>
      </FileDrop>
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
