// A password field with a button that shows what was typed.
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./icon-button.tsx";
import { TextInput, type TextInputProps } from "./text-input.tsx";

export function PasswordInput(props: Omit<TextInputProps, "type" | "icon">) {
  const [isShown, setShown] = useState(false);
  return (
    <span className="relative flex items-center">
      <TextInput {...props} type={isShown ? "text" : "password"} className="pe-10" />
      <IconButton
        icon={isShown ? EyeOff : Eye}
        label={isShown ? "Hide password" : "Show password"}
        onClick={() => setShown(!isShown)}
        className="absolute end-0"
      />
    </span>
  );
}
