// Opens the explanation that the address asks for. Screens whose numbers can be explained have one; its drawer is loaded on demand.
import { useParams } from "#web/lib/search-param.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import { WHY, whyIn } from "./why.ts";

const ExplainDrawer = onDemand(async () => (await import("./explain-drawer.tsx")).ExplainDrawer);

export function ExplainHost() {
  const [params, setParams] = useParams();
  const why = whyIn(params);
  return why === undefined ? null : (
    <ExplainDrawer
      key={params.get(WHY)}
      why={why}
      onClose={() => setParams({ [WHY]: undefined })}
    />
  );
}
