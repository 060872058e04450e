// Asks once more about something unusual, inside the form: Save waits for the answer, and a scan cannot give it.
import { TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

export type SaveCheck = {
  /** True if the form may be saved; otherwise the question appears. */
  readonly passes: () => boolean;
  /** The question, once Save was pressed. */
  readonly question: string | undefined;
  readonly confirm: () => void;
};

/** Asks `question` before the form may be saved, once for each wording. */
export function useSaveCheck(question: string | undefined): SaveCheck {
  const [askedAbout, setAskedAbout] = useState<string>();
  const confirmed = useRef<string>(undefined);
  return {
    passes() {
      const mayPass = question === undefined || confirmed.current === question;
      setAskedAbout(mayPass ? undefined : question);
      return mayPass;
    },
    question: question === askedAbout ? question : undefined,
    confirm() {
      confirmed.current = question;
    },
  };
}

type SaveQuestionProps = {
  readonly check: SaveCheck;
  /** Saves the form. */
  readonly onYes: () => void;
};

export function SaveQuestion({ check, onYes }: SaveQuestionProps) {
  return (
    <div role="alert" className="empty:hidden">
      {check.question === undefined ? null : (
        <Question key={check.question} check={check} onYes={onYes} />
      )}
    </div>
  );
}

function Question({ check, onYes }: SaveQuestionProps) {
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => yes.current?.focus(), []);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-pending-tint p-3 text-pending">
      <Icon of={TriangleAlert} />
      {/* With a basis, a long text wraps beside the icon before it would go to a line below it. */}
      <span className="min-w-0 grow basis-52">{`${check.question ?? ""} Is it right?`}</span>
      <Button
        ref={yes}
        variant="primary"
        // A key that is held down is not an answer.
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        onClick={() => {
          check.confirm();
          onYes();
        }}
      >
        Yes, save it
      </Button>
    </div>
  );
}
