// A failed read: what failed, what is safe, a button to retry if that can help, and the request id in the server's log.
import { OctagonAlert, RotateCw } from "lucide-react";
import type { ApiError } from "#web/lib/api-error.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

type ErrorStateProps = {
  /** What failed: "The sales could not be loaded". */
  readonly title: string;
  /** What is safe: "Nothing was changed". */
  readonly safe?: string;
  /** What the address names, if it names one thing: "item". */
  readonly thing?: string;
  /** What to say where it is missing, if it cannot have been deleted. */
  readonly missing?: { readonly title: string; readonly text: string };
  readonly error: ApiError;
  readonly onRetry: () => void;
};

/** Answers that the same question gets again. */
const final = new Set([400, 403, 404, 410]);

export function ErrorState({
  title,
  safe = "Nothing was changed.",
  thing,
  missing,
  error,
  onRetry,
}: ErrorStateProps) {
  const { status, code, message, requestId } = error;
  // 400: the address names something that is not an id.
  const isNoId = status === 400 && code === "validation_failed";
  const isMissing = isNoId || (thing !== undefined && (status === 404 || status === 410));
  const gone = missing ?? {
    title: thing === undefined ? title : `This ${thing} does not exist`,
    text: "It may have been deleted, or the link is incomplete.",
  };
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-4 py-12 text-center">
      <Icon of={OctagonAlert} size={24} className={isMissing ? "text-faint" : "text-danger"} />
      <p className="font-medium">{isMissing ? gone.title : title}</p>
      <p className="max-w-120 text-muted">
        {isMissing ? gone.text : `${message}${/[.!?]$/u.test(message) ? "" : "."} ${safe}`.trim()}
      </p>
      {final.has(status) ? null : (
        <Button
          icon={RotateCw}
          onClick={error.isOfOlderPage ? () => location.reload() : onRetry}
          className="mt-2"
        >
          {error.isOfOlderPage ? "Reload" : "Retry"}
        </Button>
      )}
      {isMissing || requestId === undefined || message.includes(requestId) ? null : (
        <p className="text-12 text-faint">
          Request <span className="font-mono">{requestId}</span>
        </p>
      )}
    </div>
  );
}
