// The second step of a sign-in, whichever way the first one went. Nobody is signed in before it.
import type { SecondStep } from "#features/sign-in/contract.ts";
import { postInTurn } from "#web/lib/id-token.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { answerOfPasskey } from "./passkeys.ts";
import { ProofDialog, type Proof } from "./proof-dialog.tsx";

const title = "Second step";

/** Throws ApiError. */
async function take(token: string, proof: Proof): Promise<Response> {
  switch (proof.way) {
    case "passkey": {
      const passkey = await answerOfPasskey("second-step/passkey", { token });
      return postInTurn("second-step", { token, passkey });
    }
    case "recovery-code":
      return postInTurn("second-step", { token, recoveryCode: proof.typed });
    default:
      return postInTurn("second-step", { token, code: proof.typed });
  }
}

type SecondStepDialogProps = {
  readonly step: SecondStep;
  /** With the answer that has the session. */
  readonly onTaken: (response: Response) => void;
  readonly onClose: () => void;
};

export function SecondStepDialog({ step, onTaken, onClose }: SecondStepDialogProps) {
  const [first, ...others] = step.ways;
  return first === undefined ? (
    <Dialog title={title} onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <p>
        Your second factor cannot be checked any more, and no recovery code is left. Ask the store
        to reset your second factor.
      </p>
    </Dialog>
  ) : (
    <ProofDialog
      title={title}
      description="Your account has a second factor. Use it within five minutes."
      ways={[first, ...others]}
      act="Sign in"
      busyAct="Signing in..."
      prove={(proof) => take(step.token, proof)}
      onProven={onTaken}
      onClose={onClose}
    />
  );
}
