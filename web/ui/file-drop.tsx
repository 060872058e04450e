// A field for a file: chosen by click or keyboard, or dropped on it.
import type { LucideIcon } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { Icon } from "./icon.tsx";

type FileDropProps = {
  /** What the file is, for screen readers. */
  readonly label: string;
  /** As the attribute of a file input. */
  readonly accept: string;
  readonly icon: LucideIcon;
  /** "Choose a CSV file, or drop it here" */
  readonly prompt: string;
  /** While true, files are ignored. */
  readonly isBusy?: boolean;
  readonly onFile: (file: File) => void;
  /** A hint under the prompt. */
  readonly children?: ReactNode;
};

export function FileDrop(props: FileDropProps) {
  const { label, accept, icon, prompt, isBusy = false, onFile, children } = props;
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined && !isBusy) {
      onFile(file);
    }
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is an alternative to the input inside
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
        take(event.dataTransfer.files);
      }}
      className={`flex min-h-36 flex-col items-center justify-center gap-2 rounded-card border border-dashed p-6 text-center transition-colors duration-120 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring ${isOver ? "border-accent bg-accent-tint" : "border-border-strong bg-surface"}`}
    >
      <input
        id={id}
        type="file"
        accept={accept}
        aria-label={label}
        onChange={(event) => {
          take(event.target.files);
          // Allows choosing the same file again.
          event.target.value = "";
        }}
        className="sr-only"
      />
      <Icon of={icon} size={24} className="text-muted" />
      <span className="font-medium">{prompt}</span>
      {children}
    </label>
  );
}
