// Makes the signed-in person the store's first admin, with the link that the console printed.
import { useNavigate } from "react-router-dom";
import { useAction } from "#web/lib/action.ts";
import { useSession, type Profile } from "#web/shared/account/session.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { becomeAdmin } from "#web/shared/account/login-api.ts";

type SetupFormProps = {
  readonly profile: Profile;
  readonly token: string;
  readonly onUsed: () => void;
  /** Called when the person does not want to become the admin. */
  readonly onForget: () => void;
};

export function SetupForm({ profile, token, onUsed, onForget }: SetupFormProps) {
  useTitle("Become the first admin");
  const { reloadProfile, signOut } = useSession();
  const navigate = useNavigate();
  const action = useAction(async (input: string, key: string) => {
    await becomeAdmin(input, key);
    onUsed();
    await reloadProfile();
    await navigate(paths.today, { replace: true });
  });
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
      <Button variant="quiet" onClick={onForget}>
        Continue without
      </Button>
    </div>
  );
}
