// A failed read: what failed, what is safe, a button to retry, and the request id in the server's log.
import { OctagonAlert, RotateCw } from "lucide-react";
import type { ApiError } from "#web/lib/api-error.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

type ErrorStateProps = {
  /** What failed: "The sales could not be loaded". */
  readonly title: string;
  /** What is safe: "Nothing was changed". */
  readonly safe?: string;
  readonly error: ApiError;
  readonly onRetry: () => void;
};

export function ErrorState({
  title,
  safe = "Nothing was changed.",
  error,
  onRetry,
}: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-4 py-12 text-center">
      <Icon of={OctagonAlert} size={24} className="text-danger" />
      <p className="font-medium">{title}</p>
      <p className="max-w-120 text-muted">
        {error.message} {safe}
      </p>
      <Button icon={RotateCw} onClick={onRetry} className="mt-2">
        Retry
      </Button>
      {error.requestId === undefined || error.message.includes(error.requestId) ? null : (
        <p className="text-12 text-faint">
          Request <span className="font-mono">{error.requestId}</span>
        </p>
      )}
    </div>
  );
}
