// The logos of Discord and Google, drawn in the style of the other icons.
import { createLucideIcon } from "lucide-react";

export const DiscordIcon = createLucideIcon("discord", [
  [
    "path",
    {
      d: "M8.5 17 7 19.5c-2.5-.7-4-2-4-2C3 12 4.5 7.5 6 5.5c1-.6 2.3-1.1 3.5-1.3l.8 1.6h3.4l.8-1.6c1.2.2 2.5.7 3.5 1.3 1.5 2 3 6.5 3 12 0 0-1.5 1.3-4 2L15.5 17",
      key: "head",
    },
  ],
  ["path", { d: "M7.5 16.3c3 1.2 6 1.2 9 0", key: "mouth" }],
  ["path", { d: "M9.2 11.5v.6", key: "left" }],
  ["path", { d: "M14.8 11.5v.6", key: "right" }],
]);

export const GoogleIcon = createLucideIcon("google", [
  ["path", { d: "M12.5 12H20.5a8.5 8.5 0 1 1-2.5-6", key: "g" }],
]);
