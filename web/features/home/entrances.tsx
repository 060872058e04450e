// What to press on the home page: the way in, and the store's community chat.
import { LogIn, MessagesSquare } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";

/** Somebody who is signed in goes on to the dashboard from there. */
export function GetStarted() {
  return (
    <Link to={paths.login} className={`${buttonClass("primary")} min-h-11 px-5`}>
      <Icon of={LogIn} />
      Get Started
    </Link>
  );
}

/** Nothing where the store has no chat. */
export function ChatLink({ href }: { readonly href: string | null }) {
  return href === null ? null : (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className={`${buttonClass("secondary")} min-h-11 px-5`}
    >
      <Icon of={MessagesSquare} />
      Join the community chat
    </a>
  );
}
