// How a row of the past opens its entry in the ledger, which says who, when and why: the address says which.
import { useParams } from "#web/lib/search-param.ts";

/** For a table whose rows are ledger lines. */
export function useLineOpening() {
  const [params, setParams] = useParams();
  return {
    onOpen: ({ line }: { readonly line: number }) =>
      setParams({ line: String(line) }, { push: true }),
    openId: params.get("line") ?? undefined,
  };
}
