// Copies a text, and shows for a moment that it did.
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./icon-button.tsx";
import { showToast } from "./toast.ts";

const copiedMs = 2000;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without TLS, or if it was denied, browsers refuse access to the clipboard.
      showToast(`Copy it by hand: ${text}`);
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), copiedMs);
  }
  return (
    <IconButton
      icon={isCopied ? Check : Copy}
      label={isCopied ? "Copied" : label}
      onClick={() => void copy()}
    />
  );
}
