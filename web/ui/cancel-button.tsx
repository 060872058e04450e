// The button that closes its dialog as Escape does: it asks first where typed text would be lost.
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { Button } from "./button.tsx";

type CancelButtonProps = {
  readonly isBusy?: boolean;
  readonly children?: string;
};

export function CancelButton({ isBusy = false, children = "Cancel" }: CancelButtonProps) {
  return <BaseDialog.Close disabled={isBusy} render={<Button>{children}</Button>} />;
}
