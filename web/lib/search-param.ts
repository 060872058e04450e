// Filters, tabs and open records are stored in the address, so that they can be shared and survive a reload and the back button.
import { useSearchParams } from "react-router-dom";

export type ParamChanges = Readonly<Record<string, string | undefined>>;

/** The address's parameters and a setter; undefined or "" removes one. Filters replace the history entry, records push one. */
export function useParams(): readonly [
  URLSearchParams,
  (changes: ParamChanges, options?: { readonly push?: boolean }) => void,
] {
  const [params, setParams] = useSearchParams();
  return [
    params,
    (changes, options = {}) => {
      // Not from the parameters of the last render: while the next one is on its way, they would bring back what was just
      // closed or changed.
      const next = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === "") {
          next.delete(name);
        } else {
          next.set(name, value);
        }
      }
      setParams(next, { replace: options.push !== true, preventScrollReset: true });
    },
  ];
}
