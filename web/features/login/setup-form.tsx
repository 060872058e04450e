// Makes whoever is signed in the store's first admin, by the link that the console printed.
import { Navigate } from "react-router-dom";
import { useAction } from "#web/lib/action.ts";
import { useSession, type Profile } from "#web/lib/session.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { becomeAdmin } from "./login-api.ts";

type SetupFormProps = { readonly profile: Profile; readonly token: string };

export function SetupForm({ profile, token }: SetupFormProps) {
  const { restore, signOut } = useSession();
  const action = useAction(async (input: string, key: string) => {
    await becomeAdmin(input, key);
    await restore();
  });
  if (profile.role === "admin") {
    return <Navigate to={paths.admin} replace />;
  }
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-24 font-semibold">Become the first admin</h1>
      <p className="text-muted">
        {profile.email ?? profile.uid} will manage inventory, sales, payouts and people. The link
        works once.
      </p>
      <ErrorLine>{action.error?.message}</ErrorLine>
      <Button
        variant="primary"
        isBusy={action.isBusy}
        busyLabel="Saving..."
        onClick={() => void action.run(token)}
      >
        Become admin
      </Button>
      <Button onClick={() => void signOut()}>Use another account</Button>
    </div>
  );
}
