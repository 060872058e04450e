// The progress of something that takes a while: a bar with text, also for screen readers.

type ProgressLineProps = {
  readonly done: number;
  readonly total: number;
  /** "12 of 200 items" */
  readonly label: string;
};

export function ProgressLine({ done, total, label }: ProgressLineProps) {
  return (
    <div className="flex flex-col gap-2 py-2">
      <progress
        aria-label={label}
        value={done}
        max={Math.max(1, total)}
        className="h-2 w-full appearance-none overflow-hidden rounded-pill bg-fill [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-fill [&::-webkit-progress-value]:rounded-pill [&::-webkit-progress-value]:bg-accent"
      />
      <p className="text-muted tabular-nums">{label}</p>
    </div>
  );
}
