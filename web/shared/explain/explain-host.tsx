// Opens the explanation that the address asks for. Screens whose numbers can be explained have one; its drawer is loaded on demand.
import { useParams } from "#web/lib/search-param.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import { WHY } from "./why.ts";

const ExplainDrawer = onDemand(() =>
  import("./explain-drawer.tsx").then((file) => file.ExplainDrawer),
);

export function ExplainHost() {
  const [params, setParams] = useParams();
  const asked = params.get(WHY);
  return asked === null ? null : (
    <ExplainDrawer key={asked} onClose={() => setParams({ [WHY]: undefined })} />
  );
}
