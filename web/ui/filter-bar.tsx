// The filters above a list, in one row. On a phone, all but the main one are behind a button that counts those in use.
import { SlidersHorizontal } from "lucide-react";
import { Fragment, useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Form } from "./form.tsx";

type FilterBarProps = {
  /** The filter that is used most, usually the search field. It takes the room that is left, also on a phone. */
  readonly main: ReactNode;
  /** The other filters, at least one. On a phone each takes one of two columns, or both with `max-sm:col-span-2`. */
  readonly children: ReactNode;
  /** How many of the other filters are in use. */
  readonly usedCount: number;
  /** Whether there is anything to clear. */
  readonly canClear: boolean;
  readonly onClear: () => void;
  /** Buttons that filter nothing: the export. */
  readonly end?: ReactNode;
  /** A line below the filters, also on a phone: what they mean. */
  readonly note?: ReactNode;
  /** For filters that apply when they are sent, with the button that sends them. */
  readonly onSubmit?: () => void;
  readonly apply?: ReactNode;
};

const row = "flex flex-wrap items-start gap-2";

export function FilterBar(props: FilterBarProps) {
  const { main, children, usedCount, canClear, onClear, end, note, onSubmit, apply } = props;
  const [isOpen, setOpen] = useState(false);
  const [clears, setClears] = useState(0);
  const content = (
    <>
      <div className="min-w-0 flex-[1_1_0] sm:min-w-48 sm:flex-[1_1_12rem]">{main}</div>
      <Button
        icon={SlidersHorizontal}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="sm:hidden"
      >
        {usedCount === 0 ? "Filters" : `Filters (${usedCount})`}
      </Button>
      <div
        className={`order-last w-full grid-cols-2 gap-2 sm:contents ${isOpen ? "grid" : "hidden"}`}
      >
        {/* The filters begin anew when they are cleared, also those that hold something which filters nothing yet. */}
        <Fragment key={clears}>{children}</Fragment>
        <Button
          onClick={() => {
            setClears(clears + 1);
            onClear();
          }}
          disabled={!canClear}
          className={apply === undefined ? "max-sm:col-span-2" : ""}
        >
          Clear
        </Button>
        {apply}
        {end === undefined ? null : (
          <div className="flex gap-2 max-sm:col-span-2 max-sm:justify-end sm:order-last sm:ms-auto">
            {end}
          </div>
        )}
      </div>
    </>
  );
  return (
    <search className="no-print">
      {onSubmit === undefined ? (
        <div className={row}>{content}</div>
      ) : (
        <Form onSubmit={onSubmit} className={row}>
          {content}
        </Form>
      )}
      {note}
    </search>
  );
}
