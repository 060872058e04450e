// What an admin sees who has to set up a second factor before anything else.
import { useSession } from "#web/shared/account/session.tsx";
import { FactorPart } from "#web/shared/factor/factor-part.tsx";
import { Button } from "#web/ui/button.tsx";
import { EntryPage } from "#web/ui/entry-page.tsx";
import { useTitle } from "#web/ui/use-title.ts";

export function FactorSetupScreen() {
  useTitle("Set up a second factor");
  const { reloadProfile, signOut } = useSession();
  return (
    <EntryPage>
      <div className="flex flex-col gap-4">
        <h1 className="text-24 font-semibold">Set up a second factor</h1>
        <p className="text-muted">
          Admins of this store sign in with a second factor besides the password: a passkey, or the
          codes of an authenticator app. Everything else opens as soon as you have one.
        </p>
        <FactorPart onAdded={() => void reloadProfile()} />
        <Button variant="quiet" onClick={() => void signOut()}>
          Sign out
        </Button>
      </div>
    </EntryPage>
  );
}
