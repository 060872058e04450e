// The year that a tab shows, in the address.
import { useParams } from "#web/lib/search-param.ts";
import { Select } from "#web/ui/select.tsx";

/** Undefined is the present year. */
export function useYear(): string | undefined {
  const [params] = useParams();
  const year = params.get("year") ?? "";
  return /^20\d\d$/u.test(year) ? year : undefined;
}

type YearChoiceProps = {
  readonly year: number;
  readonly years: { readonly first: number; readonly last: number };
};

export function YearChoice({ year, years }: YearChoiceProps) {
  const [, setParams] = useParams();
  const choices = Array.from({ length: years.last - years.first + 1 }, (_, index) => {
    const value = String(years.last - index);
    return { value, label: value };
  });
  return (
    <Select
      aria-label="Year"
      value={String(year)}
      choices={choices}
      onValue={(next) => setParams({ year: next === String(years.last) ? undefined : next })}
    />
  );
}
