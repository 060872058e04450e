// Instead of the form: why no payout can be requested now. Loaded with the dialog.
import { Clock } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Icon } from "#web/ui/icon.tsx";

type PayoutsHeldProps = {
  /** The server's sentence, without a period. */
  readonly message: string;
  readonly onClose: () => void;
};

export function PayoutsHeld({ message, onClose }: PayoutsHeldProps) {
  return (
    <Dialog
      title="Request payout"
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <p className="flex items-start gap-2">
        <Icon of={Clock} className="mt-0.5 text-pending" />
        <span>{message}. You do not have to do anything: try again later.</span>
      </p>
    </Dialog>
  );
}
