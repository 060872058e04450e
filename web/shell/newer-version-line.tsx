// One quiet line: there is a newer version of the app, and the button that loads it.
import { TextButton } from "#web/ui/text-button.tsx";

export function NewerVersionLine() {
  return (
    <output className="flex min-h-10 items-center gap-2 border-b border-border bg-surface px-6 py-1 text-muted no-print max-sm:px-4">
      <span>A new version is ready.</span>
      <TextButton onClick={() => location.reload()}>Reload</TextButton>
    </output>
  );
}
