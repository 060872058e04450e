// /: the store's home page. The server draws it before the app runs; here it takes over, and knows who is signed in.
import { useEffect } from "react";
import { useSession } from "#web/shared/account/session.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { HomePage } from "./home-page.tsx";
import { homeTitle } from "./home-head.ts";
import { useHomeTexts } from "./home-texts.ts";

/** The page has the buttons for both; `data-session`, which its first script sets, says which one shows. */
function useShownSession(): void {
  const { status } = useSession().state;
  useEffect(() => {
    if (status === "signed-in" || status === "signed-out") {
      document.documentElement.dataset["session"] = status === "signed-in" ? "open" : "closed";
    }
  }, [status]);
}

export function HomeScreen() {
  const texts = useHomeTexts();
  useShownSession();
  useTitle(homeTitle);
  return texts === undefined ? (
    <div className="mx-auto flex max-w-[calc(1120px+3rem)] flex-col gap-6 px-6 py-24 max-sm:px-4">
      <Skeleton className="h-12 max-w-120" />
      <Skeleton className="h-6 max-w-160" />
      <Skeleton className="h-80" />
    </div>
  ) : (
    <HomePage texts={texts} />
  );
}
