// The button for the light or the dark theme, in the top bar and on the sign-in screens.
import { Moon, Sun } from "lucide-react";
import { useTheme } from "#web/lib/theme.ts";
import { IconButton } from "./icon-button.tsx";

export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  return (
    <IconButton
      icon={theme === "dark" ? Sun : Moon}
      label={theme === "dark" ? "Light theme" : "Dark theme"}
      onClick={() => setTheme(theme === "dark" ? "light" : "dark")}
    />
  );
}
