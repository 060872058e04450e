// Shown at an address without a screen.
import { SearchX } from "lucide-react";
import { afterSignIn } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useTitle } from "#web/ui/use-title.ts";

export function NotFoundScreen() {
  useTitle("Page not found");
  return (
    <div className="flex min-h-[60dvh] flex-col justify-center">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        icon={SearchX}
        title="There is no page at this address"
        action={
          <ButtonLink to={afterSignIn} variant="primary">
            Go home
          </ButtonLink>
        }
      >
        It may have moved, or the link is incomplete.
      </EmptyState>
    </div>
  );
}
